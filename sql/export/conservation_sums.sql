-- Conservation of a period in amounts: of the records whose own time falls in it, per account of our own and per side, the
-- amount that the gateway reports, the amount booked and the amount set aside: landed = booked + set aside.
-- For: the manifest of an export. Ties to: conservation, which counts the same records.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/export/conservation_sums.sql
select entity_id, stream, rule_version, side, currency, trim_scale(sum(landed)) as landed, trim_scale(sum(booked)) as booked,
  trim_scale(sum(set_aside)) as set_aside
from books_internal.conservation_lines
where record_at >= :'from'::timestamptz and record_at < :'to'::timestamptz
  and books_internal.is_chosen(entity_id, :'entity')
group by entity_id, stream, rule_version, side, currency
order by entity_id collate "C", stream collate "C", rule_version, side collate "C", currency collate "C";
