-- migrate:up
-- Seals are let in row by row: without that, whoever may seal a month could seal a closed one again, close months to
-- come, or add to what a seal holds, and so exchange the reports of a closed month. The policies stand in sql/roles.sql.
alter table decide.seals enable row level security;
alter table decide.seal_leaves enable row level security;
alter table decide.seal_files enable row level security;

-- migrate:down
alter table decide.seal_files disable row level security;
alter table decide.seal_leaves disable row level security;
alter table decide.seals disable row level security;
