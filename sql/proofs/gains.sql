-- Proof of gains: the gain or loss that an entry books is proceeds less cost of its disposals, to the last digit; if it is only
-- partly known, that part, and a line without a value for the rest.
-- For: verify ledger. Ties to: income:gains:* and expenses:losses:*, fiat currencies in :fx and all others in :realised;
-- books.disposals.
--   psql -f sql/proofs/gains.sql
with booked as (
  select entity_id, entry_id, -sum(exact) as gain, -sum(exact) filter (where account like '%:fx') as fx,
    bool_or(exact is null) as is_open
  from books.value_postings
  where account in ('income:gains:realised', 'expenses:losses:realised', 'income:gains:fx', 'expenses:losses:fx')
  group by entity_id, entry_id
), disposed as (
  select entity_id, entry_id, sum(gain) as gain, sum(gain) filter (where books_internal.is_fiat(currency)) as fx,
    sum(proceeds) filter (where gain is not null) - sum(cost) filter (where gain is not null) as difference,
    bool_or(gain is null) as is_open
  from books.disposals
  group by entity_id, entry_id
), judged as (
  select entity_id, entry_id,
    case
      when coalesce(b.is_open, false) <> coalesce(d.is_open, false) then 'does not state that a part of its gain is unknown'
      when d.gain <> d.difference then 'gains ' || d.gain || ', which is not proceeds less cost'
      when coalesce(b.gain, 0) <> coalesce(d.gain, 0) then format('books %s and disposes at %s', coalesce(b.gain, 0), coalesce(d.gain, 0))
      when b.fx <> coalesce(d.fx, 0) then format('books %s on fiat currencies and disposes of them at %s', b.fx, coalesce(d.fx, 0))
    end as fault
  from booked b
  full join disposed d using (entity_id, entry_id)
)
select count(*) as checked, count(fault) as faults,
  min(format('entry %s of %s %s', entry_id, entity_id, fault) collate "C") filter (where fault is not null) as first
from judged;
