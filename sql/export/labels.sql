-- Labels: what reports write beside the ids of entities, accounts and counterparties.
-- For: every report. Ties to: books.labels; a pocket's label is that of its account.
--   psql -f sql/export/labels.sql
select case when account is null then kind else 'account' end as kind, coalesce(account, id) as id, label
from books.labels
order by kind collate "C", id collate "C";
