-- Proof of entries: every entry has legs, sums to zero in each currency, and has an id that begins with its time.
-- For: verify ledger. Ties to: the journal, which sums to zero per entry and currency; books.balances_at, which finds a
-- day's entries by their ids.
--   psql -f sql/proofs/entries.sql
with rest as (
  select e.entity_id, e.entry_id, e.effective_at, p.currency, sum(p.amount) as amount
  from books.entries e
  left join books.postings p using (entity_id, entry_id)
  group by e.entity_id, e.entry_id, e.effective_at, p.currency
), judged as (
  select entity_id, entry_id,
    case
      when amount is null then 'has no leg'
      when amount <> 0 then 'leaves ' || trim_scale(amount) || ' ' || currency
      when left(entry_id::text, 13) <> left(books_internal.first_entry_id(effective_at)::text, 13) then 'has an id of another time'
    end as fault
  from rest
)
select count(distinct (entity_id, entry_id)) as checked, count(fault) as faults,
  min(format('entry %s of %s %s', entry_id, entity_id, fault) collate "C") filter (where fault is not null) as first
from judged;
