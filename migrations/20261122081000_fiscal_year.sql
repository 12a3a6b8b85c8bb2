-- migrate:up
-- The month in which a fiscal year begins, fixed by an entity's first entry as the timezone is, and what a profile says of
-- it before. Null in books that were begun before it could be chosen: their fiscal years begin in January.

alter table run.entities add column fiscal_year_start smallint check (fiscal_year_start between 1 and 12);
alter table decide.profiles add column fiscal_year_start smallint check (fiscal_year_start between 1 and 12);

-- migrate:down
alter table decide.profiles drop column fiscal_year_start;
alter table run.entities drop column fiscal_year_start;
