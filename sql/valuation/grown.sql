-- Grown: by entity, how many entries of a month were booked after one entry, whether all entries booked after it are on time and take
-- effect after an instant, in that month or later, and whether the pairs of own transfers of older entries, and of their records, stand as they did up to
-- one position (is_same).
-- For: valuation, which values a month that only grew from where it stopped. Ties to: value.sources.
--   psql -v entities='{main}' -v month=2026-10 -v last_at=2026-10-31T12:00:00Z -v entry_number=0 -v pair_position=0 -f sql/valuation/grown.sql
with fresh as materialized (
  select entity_id, period, effective_at, original_period from ledger.entries
  where entry_number > :'entry_number'::bigint and entity_id = any (:'entities'::text[])
), paired as materialized (
  select entity_id, entry_id from reconcile.paired_since(:'entry_number'::bigint, :'pair_position'::bigint)
  union all
  select side.entity_id, side.entry_id
  from books_internal.transfer_fees f
  cross join lateral (values (f.to_entity, f.to_entry_id), (f.from_entity, f.from_entry_id)) as side (entity_id, entry_id)
  where f.entry_number > :'entry_number'::bigint
)
select w.entity_id, grown.entries, grown.is_after, not exists (
    select from paired p join ledger.entries e using (entity_id, entry_id)
    where p.entity_id = w.entity_id and e.entry_number <= :'entry_number'::bigint
  ) as is_same
from unnest(:'entities'::text[]) as w (entity_id)
cross join lateral (
  select count(*) filter (where f.period = :'month')::int as entries,
    coalesce(bool_and(f.original_period is null and f.period >= :'month' and f.effective_at >= :'last_at'::timestamptz + interval '1 ms'), true) as is_after
  from fresh f where f.entity_id = w.entity_id
) as grown;
