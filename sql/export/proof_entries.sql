-- Proof of entries: every entry has legs, and sums to zero in each currency.
-- For: verify ledger. Ties to: the journal, which sums to zero per entry and currency.
--   psql -f sql/export/proof_entries.sql
with rest as (
  select e.entity_id, e.entry_id, p.currency, sum(p.amount) as amount
  from books.entries e
  left join books.postings p using (entity_id, entry_id)
  group by e.entity_id, e.entry_id, p.currency
)
select count(distinct (entity_id, entry_id)) as checked, count(*) filter (where amount is distinct from 0) as faults,
  min(format('entry %s of %s %s', entry_id, entity_id,
    coalesce('leaves ' || trim_scale(amount) || ' ' || currency, 'has no leg')) collate "C")
    filter (where amount is distinct from 0) as first
from rest;
