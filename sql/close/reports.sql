-- Reports: the reports of the month must agree with each other, and the lots of the entity's taxpayer with what its entities hold.
-- For: close. Ties to: checks.csv, whose rules all hold; it has those of a taxpayer's lots at the first of its entities.
--   psql -v entity=main -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -f sql/close/reports.sql
with payer as (
  select min(entity_id) as first_entity
  from books.profiles
  where taxpayer = (select taxpayer from books.profiles where entity_id = :'entity')
)
select report as subject,
  format('"%s" does not hold (rows: %s): npx tieout verify ledger names what was altered', compared, count(*)) as detail
from payer
cross join lateral books_internal.report_sides(:'from'::timestamptz, :'to'::timestamptz, concat_ws(',', :'entity', first_entity)) s
where shown <> expected and (s.entity_id = :'entity' or report = 'open_lots')
group by place, report, compared
order by place;
