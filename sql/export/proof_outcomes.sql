-- Proof of outcomes: landed = booked + rejected + set aside per stream, what is booked has an entry that stands, and
-- nothing else has one, but for what people entered.
-- For: verify ledger. Ties to: books.conservation, counted record by record.
--   psql -f sql/export/proof_outcomes.sql
with chain as (
  select distinct on (entity_id, stream, record_id) entity_id, stream, record_id, kind
  from books.entries
  order by entity_id, stream, record_id, ordinal desc
), record as (
  select entity_id, stream, record_id,
    case
      when r.outcome = 'not yet normalized' then 'is not decided upon'
      when r.outcome = 'booked' and coalesce(c.kind, 'reversal') = 'reversal' then 'is booked, and no entry of it stands'
      when r.outcome is null and c.kind not in ('manual', 'reversal') then 'has an entry, and never landed'
      when r.outcome <> 'booked' and c.kind not in ('manual', 'reversal') then 'is not booked, and an entry of it stands'
    end as fault
  from books.records r
  full join chain c using (entity_id, stream, record_id)
)
select count(*) as checked, count(fault) as faults,
  min(format('%s %s of %s %s', stream, record_id, entity_id, fault) collate "C") filter (where fault is not null) as first
from record;
