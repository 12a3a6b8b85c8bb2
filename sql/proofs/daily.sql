-- Proof of the daily summary: each of its rows is the sum of its postings, and every posting has its row.
-- For: verify ledger. Ties to: books_internal.daily, from which ledger.totals and books.balances_at are summed.
--   psql -f sql/proofs/daily.sql
with compared as (
  select entity_id, account, currency, effective_day, recorded_at, s.debit, s.credit, d.debit as kept_debit,
    d.credit as kept_credit, (s.debit, s.credit) is distinct from (d.debit, d.credit) as is_fault
  from ledger.daily_sums s
  full join books_internal.daily d using (entity_id, account, currency, effective_day, recorded_at)
)
select count(*) as checked, count(*) filter (where is_fault) as faults,
  min(format('%s %s %s on %s, recorded at %s: the postings debit %s and credit %s, the summary has %s', entity_id, account,
    currency, effective_day, recorded_at, coalesce(trim_scale(debit), 0), coalesce(trim_scale(credit), 0),
    coalesce(trim_scale(kept_debit) || ' and ' || trim_scale(kept_credit), 'nothing')) collate "C")
    filter (where is_fault) as first
from compared;
