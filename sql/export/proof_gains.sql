-- Proof of gains: what each entry books as gain or loss is proceeds less cost of its disposals, to the last digit; of one that
-- is only partly known, that part, and a line without a value for the rest.
-- For: verify ledger. Ties to: income:gains:realised and expenses:losses:realised; books.disposals.
--   psql -f sql/export/proof_gains.sql
with booked as (
  select entity_id, entry_id, -sum(exact) as gain, bool_or(exact is null) as is_open
  from books.value_postings
  where account in ('income:gains:realised', 'expenses:losses:realised')
  group by entity_id, entry_id
), disposed as (
  select entity_id, entry_id, sum(gain) as gain,
    sum(proceeds) filter (where gain is not null) - sum(cost) filter (where gain is not null) as difference,
    bool_or(gain is null) as is_open
  from books.disposals
  group by entity_id, entry_id
), judged as (
  select entity_id, entry_id,
    case
      when coalesce(b.is_open, false) <> coalesce(d.is_open, false) then 'does not say that a part of its gain is unknown'
      when d.gain <> d.difference then 'gains ' || d.gain || ', which is not proceeds less cost'
      when coalesce(b.gain, 0) <> coalesce(d.gain, 0) then format('books %s and disposes at %s', coalesce(b.gain, 0), coalesce(d.gain, 0))
    end as fault
  from booked b
  full join disposed d using (entity_id, entry_id)
)
select count(*) as checked, count(fault) as faults,
  min(format('entry %s of %s %s', entry_id, entity_id, fault) collate "C") filter (where fault is not null) as first
from judged;
