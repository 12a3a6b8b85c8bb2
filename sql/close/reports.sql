-- Reports: the reports of the month must agree with each other.
-- For: close. Ties to: checks.csv, whose rules all hold.
--   psql -v entity=main -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -f sql/close/reports.sql
select report as subject,
  format('"%s" does not hold (rows: %s): npx tieout verify ledger names what was altered', compared, count(*)) as detail
from books_internal.report_sides(:'from'::timestamptz, :'to'::timestamptz, :'entity')
where shown <> expected
group by place, report, compared
order by place;
