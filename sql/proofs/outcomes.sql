-- Proof of outcomes: landed = booked + rejected + set aside per stream; a booked record has exactly one entry that is not
-- reversed, and any other record has none, except for manual entries; and what never landed has no entry at all.
-- For: verify ledger. Ties to: books.conservation, counted record by record.
--   psql -f sql/proofs/outcomes.sql
with chain as (
  select entity_id, stream, record_id, bool_or(kind = 'manual') as is_manual,
    count(*) filter (where kind <> 'reversal') - count(*) filter (where kind = 'reversal') as standing
  from books.entries
  group by entity_id, stream, record_id
), record as (
  select entity_id, stream, record_id,
    case
      when r.outcome = 'not yet normalized' then 'is not decided upon: a night that was stopped leaves this to the next one, or to npx tieout normalize'
      when c.standing > 1 then format('has %s entries in force', c.standing)
      when r.outcome = 'booked' and coalesce(c.standing, 0) < 1 then 'is booked, but has no entry in force'
      when r.outcome is null and not c.is_manual then 'has an entry, and never landed' -- also one that was reversed, perhaps in another month
      when r.outcome <> 'booked' and c.standing > 0 and not c.is_manual then 'is not booked, but has an entry in force'
  end as fault
  from books.records r
  full join chain c using (entity_id, stream, record_id)
)
select count(*) as checked, count(fault) as faults,
  min(format('%s %s of %s %s', stream, record_id, entity_id, fault) collate "C") filter (where fault is not null) as first
from record;
