-- Proof of balances: the balance of each account and currency, now and before the newest entry, is the sum of its
-- postings.
-- For: verify ledger. Ties to: books.balances, books.balances_at, books.postings.
--   psql -f sql/proofs/balances.sql
with newest as (
  select max(effective_at) as effective_at from books.entries
), summed as (
  select entity_id, account, currency, sum(amount) as amount,
    coalesce(sum(amount) filter (where effective_at < (select newest.effective_at from newest)), 0) as amount_before
  from books.postings
  group by entity_id, account, currency
), compared as (
  select entity_id, account, currency, coalesce(s.amount, 0) as amount, coalesce(s.amount_before, 0) as amount_before,
    coalesce(b.balance, 0) as balance, coalesce(a.balance, 0) as balance_at, coalesce(n.balance, 0) as balance_before
  from summed s
  full join books.balances b using (entity_id, account, currency)
  full join books.balances_at('infinity') a using (entity_id, account, currency)
  full join books.balances_at((select newest.effective_at from newest)) n using (entity_id, account, currency)
), judged as (
  select *, balance <> amount or balance_at <> amount or balance_before <> amount_before as is_fault from compared
)
select count(*) as checked, count(*) filter (where is_fault) as faults,
  min(format('%s %s %s: the postings sum to %s, the balance is %s, balances_at gives %s; before the newest entry to %s, and '
    'balances_at gives %s', entity_id, account, currency, trim_scale(amount), trim_scale(balance), trim_scale(balance_at),
    trim_scale(amount_before), trim_scale(balance_before)) collate "C") filter (where is_fault) as first
from judged;
