-- Proof of reversals: each reverses one earlier entry of its record, leg by leg equal and opposite, and no entry has two; and what undoes
-- a reversal is equal and opposite to that, at its time.
-- For: verify ledger. Ties to: the chain of a record's entries.
--   psql -f sql/proofs/reversals.sql
with reversal as (
  select r.entity_id, r.entry_id,
    case
      when r.opposite is null then 'names no entry'
      when u.entry_id is null then 'names ' || r.opposite || ', which does not exist'
      when r.undoes is null and r.kind <> 'reversal' then 'is not called one'
      when r.undoes is null and u.kind = 'reversal' then 'reverses a reversal'
      when r.undoes is not null and (u.kind <> 'reversal' or u.effective_at <> r.effective_at) then 'undoes no reversal at its time'
      when (u.stream, u.record_id) <> (r.stream, r.record_id) then 'reverses an entry of another record'
      when u.ordinal >= r.ordinal then 'precedes the entry that it reverses'
      when exists (
        select from ledger.entries other
        where (other.entity_id, other.stream, other.record_id) = (r.entity_id, r.stream, r.record_id)
          and other.reverses = r.reverses and other.entry_id <> r.entry_id
      ) then 'is not the only one of ' || r.reverses
      when exists (
        (select leg, debit, credit, currency, amount from ledger.transfers
          where (entity_id, entry_id) = (r.entity_id, r.opposite)
        except select leg, credit, debit, currency, amount from ledger.transfers
          where (entity_id, entry_id) = (r.entity_id, r.entry_id))
        union all
        (select leg, credit, debit, currency, amount from ledger.transfers
          where (entity_id, entry_id) = (r.entity_id, r.entry_id)
        except select leg, debit, credit, currency, amount from ledger.transfers
          where (entity_id, entry_id) = (r.entity_id, r.opposite))
      ) then 'is not equal and opposite to ' || r.opposite
    end as fault
  from (
    select *, coalesce(reverses, undoes) as opposite from ledger.entries
  ) as r
  left join ledger.entries u on (u.entity_id, u.entry_id) = (r.entity_id, r.opposite)
  where r.opposite is not null or r.kind = 'reversal'
)
select count(*) as checked, count(fault) as faults,
  min(format('reversal %s of %s %s', entry_id, entity_id, fault) collate "C") filter (where fault is not null) as first
from reversal;
