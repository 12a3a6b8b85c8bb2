-- Chart codes: the code and names of each account of one entity, by the chart of accounts in force at the period's end.
-- For: journals that accounting packages import without a map of their own. Ties to: trial_balance, account_code.
--   psql -v entity=main -v to=2026-11-01T00:00:00Z -f sql/export/chart_codes.sql
select account, currency, code, name_en, name_es, name_de
from books.chart_of_accounts_at(:'to'::timestamptz)
where entity_id = :'entity' and code is not null
order by account collate "C", currency collate "C";
