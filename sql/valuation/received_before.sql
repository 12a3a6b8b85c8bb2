-- Received before: of a departure to another of our own accounts, the arrivals in closed months that took units out of transit without a lot, and how
-- many of these units of each asset no entry of the departure has stood for since. period: the month of the arrival's values.
-- For: valuation. Ties to: books.own_transfers, value.uses.
--   psql -v entity=main -v entry=00000000-0000-8000-8000-000000000000 -v closed=2026-09 -f sql/valuation/received_before.sql
select o.entity_id, o.entry_id, o.currency, arrived.period, trim_scale(arrived.units + least(sent.units, 0))::text as units
from books_internal.transfers_of(:'entity', :'entry'::uuid) o
cross join lateral (
  select max(u.period) as period, coalesce(sum(u.units), 0) as units
  from value.uses u
  where (u.entity_id, u.entry_id, u.currency, u.pool, u.kind) = (o.entity_id, o.entry_id, o.currency, 'in-transit', 'moved')
    and u.lot_id is null and u.period <= :'closed'
) as arrived
cross join lateral (
  select coalesce(sum(u.units), 0) as units
  from ledger.entries e
  join ledger.entries own on (own.entity_id, own.stream, own.record_id) = (e.entity_id, e.stream, e.record_id)
  join value.uses u on (u.entity_id, u.entry_id, u.currency, u.pool) = (own.entity_id, own.entry_id, o.currency, 'in-transit')
  where (e.entity_id, e.entry_id) = (:'entity', :'entry'::uuid) and u.lot_id is null
) as sent
where o.is_sent and o.is_received and arrived.units + least(sent.units, 0) > 0
order by o.entity_id collate "C", o.entry_id;
