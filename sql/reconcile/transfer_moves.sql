-- Transfer moves: the legs to and from people and chains on some days that are in no valid pair, of records that stand or were cancelled, with the entity of ours
-- that each names, by its record or by an address on which only that entity receives; of those that name none only what another leg, in the other
-- direction, has an amount, a record or a hash with: payments of strangers are many.
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
), placed as materialized (
  select m.*, coalesce(m.names_entity, a.names_entity) as named_entity,
    coalesce(m.names_by, case when a.names_entity <> '' then 'address' end) as named_by, coalesce(a.pockets, array_remove(array[m.pocket_id], null)) as pockets
  from moved m
  left join addressed a using (entity_id, entry_id, currency)
  where not m.is_chain or m.hash is not null or a.names_entity is not null
    or (m.entity_id, m.pocket_id) in (select entity_id, pocket_id from own_address)
), keyed as materialized (
  select p.entity_id, p.entry_id, p.currency, p.amount > 0 as is_out, p.is_chain, k.key
  from placed p
  cross join lateral (
    select abs(amount)::text as key from (values (p.amount), (p.pocketed)) as side (amount) where p.is_chain or not p.elsewhere
    union all
    select key from (values (p.stream || ' ' || p.record_id), ('hash ' || p.hash)) as name (key) where key is not null
  ) as k
), shared as ( -- what legs in both directions have; within one entity only on a chain
  select currency, key from keyed group by 1, 2
  having bool_or(is_out) and not bool_and(is_out) and (bool_or(is_chain) or min(entity_id) <> max(entity_id))
)
select p.entity_id, p.entry_id, p.currency, p.day::text, p.stream, p.record_id, p.amount::text, p.pocketed::text, p.effective_at,
  p.named_entity as names_entity, p.named_by as names_by, p.elsewhere, p.cancelled_at, p.is_chain, p.hash, p.pockets
from placed p
where p.named_entity is not null
  or (p.entity_id, p.entry_id, p.currency) in (select k.entity_id, k.entry_id, k.currency from keyed k join shared using (currency, key));
