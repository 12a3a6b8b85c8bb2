-- Conservation of a period: of the records whose own time falls in it, per stream that moves money and rule version, the numbers
-- of those booked, rejected and set aside. Rule version 0: no outcome yet.
-- For: the manifest of an export. Ties to: conservation_sums; landed = booked + rejected + set aside.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/export/conservation.sql
select entity_id, stream, rule_version, landed, booked, rejected, set_aside
from books_internal.conservation_within(:'from'::timestamptz, :'to'::timestamptz)
where books_internal.is_chosen(entity_id, :'entity') and stream in (select stream from books_internal.streams)
order by entity_id collate "C", stream collate "C", rule_version;
