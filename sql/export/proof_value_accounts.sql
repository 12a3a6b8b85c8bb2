-- Proof of accounts in value: the cents of each account sum to its exact value, rounded once; conversion of currencies other
-- than the reporting one takes the remainder, and rounding has only cents.
-- For: verify ledger. Ties to: balances in money, over any number of entries.
--   psql -f sql/export/proof_value_accounts.sql
with account as (
  select entity_id, account, currency, sum(value) as value, sum(exact) as exact
  from books.value_postings
  where account <> 'expenses:rounding' and (account <> 'equity:conversion' or currency = value_currency)
  group by entity_id, account, currency
), judged as (
  select entity_id, account, currency,
    case when abs(value - exact) > 0.005 then 'has ' || value || ', exactly ' || exact end as fault
  from account
)
select count(*) as checked, count(fault) as faults,
  min(format('%s %s of %s %s', account, currency, entity_id, fault) collate "C") filter (where fault is not null) as first
from judged;
