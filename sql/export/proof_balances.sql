-- Proof of balances: what books.balances says of each account and currency is the sum of its postings.
-- For: verify ledger. Ties to: books.balances, books.balances_at, books.postings.
--   psql -f sql/export/proof_balances.sql
with summed as (
  select entity_id, account, currency, sum(amount) as amount
  from books.postings
  group by entity_id, account, currency
), compared as (
  select entity_id, account, currency, coalesce(s.amount, 0) as amount, coalesce(b.balance, 0) as balance,
    coalesce(a.balance, 0) as balance_at
  from summed s
  full join books.balances b using (entity_id, account, currency)
  full join books.balances_at('infinity') a using (entity_id, account, currency)
)
select count(*) as checked, count(*) filter (where balance <> amount or balance_at <> amount) as faults,
  min(format('%s %s %s: the postings sum to %s, the balance is %s, balances_at says %s', entity_id, account, currency,
    trim_scale(amount), trim_scale(balance), trim_scale(balance_at)) collate "C")
    filter (where balance <> amount or balance_at <> amount) as first
from compared;
