-- Conservation of a period: of the records whose own time falls in it, per stream and rule version, the numbers of those
-- booked, rejected and set aside, and the sums of the hashes of their ids. Rule version 0: no outcome yet.
-- For: the manifest of an export. Ties to: conservation_sums; landed = booked + rejected + set aside, and the ids too.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/export/conservation.sql
select entity_id, stream, rule_version, count(*) filter (where counted_as = 'landed') as landed,
  count(*) filter (where counted_as = 'booked') as booked, count(*) filter (where counted_as = 'rejected') as rejected,
  count(*) filter (where counted_as = 'set-aside') as set_aside,
  coalesce(sum(digest) filter (where counted_as = 'landed'), 0) as landed_ids,
  coalesce(sum(digest) filter (where counted_as = 'booked'), 0) as booked_ids,
  coalesce(sum(digest) filter (where counted_as = 'rejected'), 0) as rejected_ids,
  coalesce(sum(digest) filter (where counted_as = 'set-aside'), 0) as set_aside_ids
from books_internal.conservation_ids
where record_at >= :'from'::timestamptz and record_at < :'to'::timestamptz
  and books_internal.is_chosen(entity_id, :'entity')
group by entity_id, stream, rule_version
order by entity_id collate "C", stream collate "C", rule_version;
