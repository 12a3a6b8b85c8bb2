-- Transfer moves: the legs to and from people and chains on some days that are in no valid pair, of records that stand or were cancelled, with the entity of ours
-- that each names, by its record or by an address on which only that entity receives; of those on chains only what can pair.
-- For: reconcile, which pairs those between our own entities. Ties to: books_internal.lone_outside_moves.
--   psql -v entities='{main}' -v currencies='{EUR}' -v days='{2026-10-01}' -f sql/reconcile/transfer_moves.sql
with requested as (
  select entity_id, day, array_agg(currency) as currencies
  from unnest(:'entities'::text[], :'currencies'::text[], :'days'::date[]) as r (entity_id, currency, day)
  group by 1, 2
), moved as materialized (
  select m.*, d.day
  from requested d
  cross join lateral books_internal.lone_outside_moves(d.entity_id, d.day::timestamp at time zone 'UTC', (d.day + 1)::timestamp at time zone 'UTC') m
  where m.currency = any (d.currencies)
), own_address as materialized (
  select * from books_internal.own_addresses where exists (select from moved where is_chain)
), addressed as (
  select m.entity_id, m.entry_id, m.currency, min(a.entity_id) as names_entity, array_agg(distinct a.pocket_id) as pockets
  from moved m
  join own_address a on a.address = m.address and coalesce(a.network, m.network) is not distinct from coalesce(m.network, a.network)
  where m.amount > 0
  group by 1, 2, 3
  having count(distinct a.entity_id) = 1
)
select m.entity_id, m.entry_id, m.currency, m.day::text, m.stream, m.record_id, m.amount::text, m.pocketed::text, m.effective_at,
  coalesce(m.names_entity, a.names_entity) as names_entity, coalesce(m.names_by, case when a.names_entity <> '' then 'address' end) as names_by,
  m.elsewhere, m.cancelled_at, m.is_chain, m.hash, coalesce(a.pockets, array_remove(array[m.pocket_id], null)) as pockets
from moved m
left join addressed a using (entity_id, entry_id, currency)
where not m.is_chain or m.hash is not null or a.names_entity is not null
  or (m.entity_id, m.pocket_id) in (select entity_id, pocket_id from own_address);
