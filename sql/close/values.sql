-- Values: every item of the month must have a value in the reporting currency that rests on what was meant, unless a person
-- accepted that number of value findings.
-- For: close. Ties to: books.value_findings of severity finding.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -f sql/close/values.sql
select case findings when 1 then '1 value finding' else findings || ' value findings' end as subject,
  format('%s%s: do what value_findings.csv says about each (such as npx tieout rates import, lots import, lots choose, open), or accept them with npx tieout values accept %s '
      '--limit %s --by NAME --reason TEXT', kinds,
    case accepted when 0 then '' else format(', and %s accepted %s', accepted_by, accepted) end, period, findings) as detail
from books_internal.unvalued_months(:'to'::timestamptz)
where entity_id = :'entity' and period = :'period' and findings > accepted;
