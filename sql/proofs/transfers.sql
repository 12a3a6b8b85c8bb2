-- Proof of transfers: every leg has its entry, two accounts and a positive amount of at most 18 decimals.
-- For: verify ledger. Ties to: the postings, two for each leg.
--   psql -f sql/proofs/transfers.sql
with transfer as (
  select t.entity_id, t.entry_id, t.leg,
    case
      when e.entry_id is null then 'has no entry'
      when t.debit = t.credit then 'moves from ' || t.debit || ' to itself'
      when not t.amount > 0 then 'is not positive'
      when scale(trim_scale(t.amount)) > 18 then 'has more than 18 decimals'
    end as fault
  from ledger.transfers t
  left join ledger.entries e using (entity_id, entry_id)
)
select count(*) as checked, count(fault) as faults,
  min(format('leg %s of entry %s of %s %s', leg, entry_id, entity_id, fault) collate "C")
    filter (where fault is not null) as first
from transfer;
