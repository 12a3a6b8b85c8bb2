-- Closing balances: the balance of each account at the period's end, from a balance that the gateway reported after it.
-- For: month-end close, audit. Ties to: trial_balance, closing and closing_value; journal, for the records since. The gateway has no balance
-- of the past: a later one is rolled back by the records in between. rolled_back = reported - moved_after (of records_after
-- records, empty if it was read a month or more later) - diverged_later, the part of a break that arose after the end; difference = rolled_back - booked. Trading and bots
-- are one account. A clearing account is not read: its difference is the sum of its transfers without a counterpart. booked_value is what
-- the account carries in value_currency, empty if nothing was valued; unvalued of its lines are not in it.
--   psql -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/closing_balances.sql
with worth as (
  select entity_id, books_internal.tied_account(account) as account, currency, sum(closing) as closing, sum(unvalued)::bigint as unvalued
  from books_internal.value_totals(:'to'::timestamptz, :'to'::timestamptz, 'posted_at')
  where books_internal.is_chosen(entity_id, :'entity')
  group by 1, 2, 3
)
select entity_id, account, currency, c.booked, c.read_at, c.reported, c.moved_after, c.records_after, c.rolled_back, c.difference, c.status,
  c.diverged_later, n.value_currency, round(w.closing, 2) as booked_value, w.unvalued
from books_internal.closing_balances_of(:'to'::timestamptz, :'entity') c
left join worth w using (entity_id, account, currency)
left join (select entity_id, currency as value_currency from books.entities) as n using (entity_id)
where books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", account collate "C", currency collate "C";
