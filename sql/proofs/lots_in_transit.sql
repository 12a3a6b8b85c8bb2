-- Proof of lots in transit: what is left of the lots that a record sent to another of our own accounts is what has not arrived of it, fees
-- on the way included; all of it but these fees if no record has the other side by now, and nothing if the record is cancelled.
-- For: verify ledger. Ties to: books.own_transfers and books.lots.
--   psql -f sql/proofs/lots_in_transit.sql
with lot as (
  select l.taxpayer, l.currency, l.entity_id, e.stream, e.record_id, sum(l.units - coalesce(used.units, 0)) as units
  from value.lots l
  join ledger.entries e using (entity_id, entry_id)
  left join lateral (
    select sum(u.units) as units from value.uses u where (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id)
  ) as used on true
  where l.pool = 'in-transit'
  group by 1, 2, 3, 4, 5
), side as ( -- the standing entry that sent them, the one that received them, and what people entered as the fee
  select l.*, part.entity_id as part_entity_id, part.entry_id as part_entry_id, k.from_entry_id is not null as is_paired
  from lot l
  left join ledger.entries s on (s.entity_id, s.stream, s.record_id) = (l.entity_id, l.stream, l.record_id) and s.reverses is null
    and not books_internal.is_reversed(s.entity_id, s.entry_id)
  left join books.own_transfers k on (k.from_entity, k.from_entry_id, k.currency) = (s.entity_id, s.entry_id, l.currency) and k.stands
  left join lateral (
    select s.entity_id, s.entry_id where s.entry_id is not null
    union all
    select k.to_entity, k.to_entry_id where exists (
      select from value.postings p where (p.entity_id, p.entry_id, p.taxpayer) = (k.to_entity, k.to_entry_id, l.taxpayer)
    )
    union all
    select f.entity_id, f.entry_id from books_internal.transfer_fees f
    where (f.from_entity, f.from_entry_id, f.currency) = (s.entity_id, s.entry_id, l.currency) and f.stands
    union all ( -- the fee of a transfer that stands no more, once a closed month has valued it
      select distinct u.entity_id, u.entry_id
      from ledger.entries sent
      join value.lots o on (o.entity_id, o.entry_id, o.currency, o.pool) = (sent.entity_id, sent.entry_id, l.currency, 'in-transit')
      join value.uses u on (u.lot_entity_id, u.lot_id) = (o.entity_id, o.lot_id)
      join ledger.entries fee on (fee.entity_id, fee.entry_id, fee.kind) = (u.entity_id, u.entry_id, 'manual')
      where k.from_entry_id is null and (sent.entity_id, sent.stream, sent.record_id) = (l.entity_id, l.stream, l.record_id)
        and not books_internal.is_reversed(fee.entity_id, fee.entry_id)
    )
  ) as part on true
), judged as (
  select side.taxpayer, side.currency, side.stream, side.record_id, side.units, case when units = 0 and not is_paired then 0 -- a third party's when it was valued
      else greatest(coalesce(sum(case when t.debit like 'equity:external:%' then t.amount when t.credit like 'equity:external:%' then -t.amount end), 0), 0)
    end as expected
  from side
  left join ledger.transfers t on (t.entity_id, t.entry_id, t.currency) = (side.part_entity_id, side.part_entry_id, side.currency)
  group by side.taxpayer, side.currency, side.entity_id, side.stream, side.record_id, side.units, side.is_paired
)
select count(*) as checked, count(*) filter (where units <> expected) as faults,
  min(format('%s of %s: %s of %s %s are in transit, its lots there have %s', currency, taxpayer, trim_scale(expected), stream, record_id,
    trim_scale(units)) collate "C") filter (where units <> expected) as first
from judged;
