-- Unmapped: the accounts of the books for which the chart of accounts in force at the period's end has no line.
-- For: export, which refuses to write a trial balance without codes. Ties to: books.chart_of_accounts_at.
--   psql -v to=2026-11-01T00:00:00Z -v entity= -f sql/export/unmapped.sql
select entity_id, account, currency, asset_class, version::text as version
from books.chart_of_accounts_at(:'to'::timestamptz)
where code is null and books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", account collate "C", currency collate "C";
