-- Account names: each English name of a chart of accounts in the other languages; the newest version decides.
-- For: reports in a profile with a language. Ties to: account_name in trial_balance.
--   psql -f sql/export/account_names.sql
select distinct on (name_en collate "C") name_en, name_es, name_de
from books.chart_lines
order by name_en collate "C", version desc, line;
