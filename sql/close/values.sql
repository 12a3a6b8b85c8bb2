-- Values: every item of the month must have a value in the reporting currency, unless a person accepted that number of unvalued
-- items.
-- For: close. Ties to: books.value_findings of severity finding.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -f sql/close/values.sql
select findings || ' unvalued' as subject,
  format('%s have no value or not all of it (%s)%s: supply what is missing (npx tieout rates import, lots import, open), or accept them with npx tieout values accept %s '
      '--limit %s --by NAME --reason TEXT', case findings when 1 then '1 item' else findings || ' items' end, kinds,
    case accepted when 0 then '' else format(', and %s accepted %s', accepted_by, accepted) end, period, findings) as detail
from books_internal.unvalued_months(:'to'::timestamptz)
where entity_id = :'entity' and period = :'period' and findings > accepted;
