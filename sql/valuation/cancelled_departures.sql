-- Cancelled departures: of the records of some entries that sent lots to another of our own accounts or to an own wallet, how many units of each asset
-- their reversals took out of there (pool) although these had arrived or come back already, without what reversals of arrivals brought back of that
-- since. entries: those of the record; reversals: those of them that brought back units without a lot from an own wallet.
-- For: valuation. Ties to: value.uses, ledger.entries.
--   psql -v entities='{main}' -v entries='{00000000-0000-8000-8000-000000000000}' -f sql/valuation/cancelled_departures.sql
with record as (
  select distinct e.entity_id, e.stream, e.record_id
  from unnest(:'entities'::text[], :'entries'::uuid[]) as sent (entity_id, entry_id)
  join ledger.entries e using (entity_id, entry_id)
), own as materialized (
  select e.entity_id, e.entry_id, e.stream, e.record_id from record join ledger.entries e using (entity_id, stream, record_id)
), part as (
  select own.entity_id, own.stream, own.record_id, u.pool, u.currency, u.units
  from own
  join value.uses u on (u.entity_id, u.entry_id) = (own.entity_id, own.entry_id)
  where u.pool in ('external', 'in-transit') and u.lot_id is null
  union all
  select own.entity_id, own.stream, own.record_id, u.pool, u.currency, -u.units
  from own
  join value.lots l on (l.entity_id, l.entry_id) = (own.entity_id, own.entry_id) and l.pool in ('external', 'in-transit')
  join value.uses u on (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id)
  where u.use_id like '%/b.%' -- brought back
    and not exists (select from ledger.returns k where (k.entity_id, k.entry_id) = (u.entity_id, u.entry_id))
    and not exists (select from ledger.entries n where (n.entity_id, n.undoes) = (u.entity_id, u.entry_id))
)
select entity_id, pool, currency, trim_scale(sum(units))::text as units, array(
    select own.entry_id::text from own
    where (own.entity_id, own.stream, own.record_id) = (part.entity_id, part.stream, part.record_id)
  ) as entries, array(
    select distinct own.entry_id::text
    from own
    join value.uses u on (u.entity_id, u.entry_id) = (own.entity_id, own.entry_id)
    where (own.entity_id, own.stream, own.record_id) = (part.entity_id, part.stream, part.record_id)
      and (u.pool, u.currency) = (part.pool, part.currency) and u.pool = 'external' and u.lot_id is null and u.units > 0
  ) as reversals
from part
group by entity_id, stream, record_id, pool, currency
having sum(units) > 0;
