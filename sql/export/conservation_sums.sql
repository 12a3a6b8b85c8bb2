-- Conservation of a period in amounts: of the records whose own time falls in it, per account of our own and per side, the
-- amount that the gateway reports, the amount booked and the amount set aside: landed = booked + set aside.
-- For: the manifest of an export. Ties to: conservation, which counts the same records.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/export/conservation_sums.sql
select entity_id, stream, rule_version, side, currency, landed, booked, set_aside
from books_internal.conservation_sums_within(:'from'::timestamptz, :'to'::timestamptz)
where books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", stream collate "C", rule_version, side collate "C", currency collate "C";
