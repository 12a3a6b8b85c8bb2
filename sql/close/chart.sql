-- Chart: every account of the books must have a line in the chart of accounts in force at the period's end.
-- For: close. Ties to: trial_balance.csv, account_code.
--   psql -v entity=main -v to=2026-11-01T00:00:00Z -f sql/close/chart.sql
select account || ' ' || currency as subject,
  format('class %s: no line of chart version %s matches; add one with npx tieout chart import', asset_class, version) as detail
from books.chart_of_accounts_at(:'to'::timestamptz)
where entity_id = :'entity' and code is null
order by account collate "C", currency collate "C";
