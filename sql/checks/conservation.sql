-- Conservation: landed = booked + rejected + set aside, per stream; a record without an outcome was lost on the way.
-- For: reconcile. Severity: high.
-- What to do: run normalize again; if it stays, the books are damaged: rebuild them from what was landed.
--   psql -v run=<run_id> -f sql/checks/conservation.sql
select entity_id, stream as subject, null as account, null as currency, landed::numeric as reported,
  (landed - undecided)::numeric as booked, undecided::numeric as difference,
  undecided || ' of ' || landed || ' landed records of ' || stream || ' have no outcome' as reason
from books.conservation
where undecided <> 0 and exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, stream
