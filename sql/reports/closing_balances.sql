-- Closing balances: the balance of each account at the period's end, from a balance that the gateway reported after it.
-- For: month-end close, audit. Ties to: trial_balance, closing; journal, for the records since. The gateway has no balance
-- of the past: a later one is rolled back by the records in between. rolled_back = reported - moved_after (of records_after
-- records) - diverged_later, the part of a break that arose after the end; difference = rolled_back - booked. Trading and bots
-- are one account. A clearing account is not read: its difference is the sum of its transfers without a counterpart.
--   psql -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/closing_balances.sql
select entity_id, account, currency, booked, read_at, reported, moved_after, records_after, rolled_back, difference, status,
  diverged_later
from books.closing_balances(:'to'::timestamptz)
where books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", account collate "C", currency collate "C";
