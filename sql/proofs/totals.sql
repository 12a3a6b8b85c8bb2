-- Proof of the totals: what each account sums to now is the sum of its days in the daily summary.
-- For: verify ledger. Ties to: ledger.totals, from which books.balances is read.
--   psql -f sql/proofs/totals.sql
with compared as (
  select entity_id, account, currency, s.debit, s.credit, t.debit as kept_debit, t.credit as kept_credit,
    (s.debit, s.credit) is distinct from (t.debit, t.credit) as is_fault
  from ledger.total_sums s
  full join ledger.totals t using (entity_id, account, currency)
)
select count(*) as checked, count(*) filter (where is_fault) as faults,
  min(format('%s %s %s: the daily summary debits %s and credits %s, the total has %s', entity_id, account, currency,
    coalesce(trim_scale(debit), 0), coalesce(trim_scale(credit), 0),
    coalesce(trim_scale(kept_debit) || ' and ' || trim_scale(kept_credit), 'nothing')) collate "C")
    filter (where is_fault) as first
from compared;
