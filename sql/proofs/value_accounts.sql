-- Proof of accounts in value: the cents of each account sum to its exact value, rounded once, those of income and expenses in each
-- fiscal year; conversion of currencies other than the reporting one takes the remainder, and rounding has only cents.
-- For: verify ledger. Ties to: balances in money, over any number of entries.
--   psql -f sql/proofs/value_accounts.sql
with account as (
  select p.entity_id, p.account, p.currency, case when books_internal.is_of_year(p.account) then books_internal.fiscal_year_of(
      to_char(p.posted_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM'), n.fiscal_year_start) end as fiscal_year,
    sum(p.value) as value, sum(p.exact) as exact
  from books.value_postings p
  left join books.entities n using (entity_id)
  where p.account <> 'expenses:rounding' and (p.account <> 'equity:conversion' or p.currency = p.value_currency)
  group by 1, 2, 3, 4
), judged as (
  select entity_id, account, currency,
    case when abs(value - exact) > 0.005 then 'has ' || value || ', exactly ' || exact end as fault
  from account
)
select count(*) as checked, count(fault) as faults,
  min(format('%s %s of %s %s', account, currency, entity_id, fault) collate "C") filter (where fault is not null) as first
from judged;
