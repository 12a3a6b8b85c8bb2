-- Grown: by entity, how many entries of a month were booked after one entry, whether all entries booked after it are on time and take
-- effect after an instant, in that month or later, and whether the pairs of own transfers of older entries stand as they did up to
-- one position (is_same).
-- For: valuation, which values a month that only grew from where it stopped. Ties to: value.sources.
--   psql -v entities='{main}' -v month=2026-10 -v last_at=2026-10-31T12:00:00Z -v entry_number=0 -v pair_position=0 -f sql/valuation/grown.sql
with fresh as materialized (
  select entity_id, entry_id, period, effective_at, belongs_to, reverses from ledger.entries
  where entry_number > :'entry_number'::bigint and (entity_id = any (:'entities'::text[]) or reverses is not null)
), pair as materialized ( -- new ones, and those that no longer stand
  select k.from_entity, k.from_entry_id, k.to_entity, k.to_entry_id
  from reconcile.own_transfers k where k.position > :'pair_position'::bigint
  union
  select k.from_entity, k.from_entry_id, k.to_entity, k.to_entry_id
  from fresh u join reconcile.own_transfers k on (k.from_entity, k.from_entry_id) = (u.entity_id, u.reverses)
  union
  select k.from_entity, k.from_entry_id, k.to_entity, k.to_entry_id
  from fresh u join reconcile.own_transfers k on (k.to_entity, k.to_entry_id) = (u.entity_id, u.reverses)
), paired as (
  select from_entity as entity_id, from_entry_id as entry_id from pair
  union
  select to_entity, to_entry_id from pair
)
select w.entity_id, grown.entries, grown.is_after, not exists (
    select from paired p join ledger.entries e using (entity_id, entry_id)
    where p.entity_id = w.entity_id and e.entry_number <= :'entry_number'::bigint
  ) as is_same
from unnest(:'entities'::text[]) as w (entity_id)
cross join lateral (
  select count(*) filter (where f.period = :'month')::int as entries,
    coalesce(bool_and(f.belongs_to is null and f.period >= :'month' and f.effective_at >= :'last_at'::timestamptz + interval '1 ms'), true) as is_after
  from fresh f where f.entity_id = w.entity_id
) as grown;
