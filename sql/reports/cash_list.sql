-- Cash list: every payment from or to a bank account or a card, as on a bank statement.
-- For: bank reconciliation. Ties to: trial_balance, equity:external:bank and equity:external:card, amount to
-- credit - debit - prior_period, value to opening_value - closing_value. amount is the amount that the bank sent, with the fees deducted
-- on the way, so that it equals the bank's own amount. value is in value_currency, the cents that its postings carry in the books, empty
-- without a value; unvalued of the postings have none. day is in the books' timezone; a reversal is negative on the side of the entry that it reverses.
-- masked_account is empty if the gateway reports no account, and once the person is erased.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/cash_list.sql
with paid as (
  select entity_id, entry_id, split_part(account, ':', 3) as means, currency, effective_at, counted_at, kind, stream, record_id,
    description, original_period, -sum(amount) as amount, -sum(v.value) as value, count(*) filter (where v.value is null) as unvalued,
    max(v.value_currency) as value_currency
  from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, 'posted_at') m
  left join books_internal.value_lines v using (entity_id, entry_id, leg, account, currency)
  where account in ('equity:external:bank', 'equity:external:card')
    and books_internal.is_chosen(entity_id, :'entity')
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
)
select p.entity_id, (p.effective_at at time zone coalesce(n.timezone, 'UTC'))::date as day, p.effective_at, p.means,
  masked.account as masked_account, coalesce(j ->> 'reference', j ->> 'orderId', j ->> 'instantId') as reference, p.currency,
  trim_scale(p.amount) as amount, p.description, p.kind, p.stream, p.record_id, p.entry_id, p.original_period, p.value_currency,
  round(p.value, 2) as value, p.unvalued
from paid p
left join books.entities n using (entity_id)
left join lateral (
  select r.version, r.payload::jsonb as j
  from books.records r
  where (r.entity_id, r.stream, r.record_id) = (p.entity_id, p.stream, p.record_id)
) as landed on true
left join lateral (
  select a.account
  from books_internal.masked_accounts a
  where (a.entity_id, a.stream, a.record_id, a.version) = (p.entity_id, p.stream, p.record_id, landed.version)
  order by a.side = case when (p.amount > 0) <> (p.kind = 'reversal') then 'origin' else 'destination' end desc, a.side, a.account
  limit 1
) as masked on true
order by p.entity_id collate "C", p.counted_at, p.effective_at, p.entry_id, p.means collate "C", p.currency collate "C";
