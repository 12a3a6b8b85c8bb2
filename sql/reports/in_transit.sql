-- In transit and pending: what had left one place and not arrived at the other at the period's end, and the records that
-- were not final at the time of the export.
-- For: treasury, month-end close. Ties to: trial_balance, closing of assets:clearing:*, which is the sum of the amounts in
-- transit; in-transit and pending of tie_outs. Pairs (clearing_matches) and reversed entries are left out. A pending record is
-- not booked: its amount is what it would add to or remove from our own accounts, each side on a row of its own.
--   psql -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/in_transit.sql
with moved as ( -- an entry and its reversal sum to nothing
  select entity_id, coalesce(e.reverses, entry_id) as entry_id, side.account, t.currency, e.stream, e.record_id,
    min(e.effective_at) as since, sum(side.amount) as amount
  from (
    select * from books.transfers where debit like 'assets:clearing:%' or credit like 'assets:clearing:%'
  ) as t
  join books.entries e using (entity_id, entry_id)
  cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount)
  where side.account like 'assets:clearing:%' and e.posted_at < :'to'::timestamptz
    and books_internal.is_chosen(entity_id, :'entity')
  group by 1, 2, 3, 4, 5, 6
  having sum(side.amount) <> 0
), pair as (
  select entity_id, account, currency, debit_entry_id as entry_id, debit_entry_id, credit_entry_id from books.clearing_matches
  union all
  select entity_id, account, currency, credit_entry_id, debit_entry_id, credit_entry_id from books.clearing_matches
), matched as ( -- a pair whose other side was reversed, or is later, has one row
  select m.*, p.debit_entry_id is not null and count(*) over (
    partition by m.entity_id, m.account, m.currency, p.debit_entry_id, p.credit_entry_id
  ) = 2 as is_paired
  from moved m
  left join pair p using (entity_id, entry_id, account, currency)
), line as (
  select entity_id, 'in transit' as status, account, currency, amount, since, stream, record_id, entry_id
  from matched
  group by entity_id, account, currency, amount, since, stream, record_id, entry_id
  having not bool_or(is_paired)
  union all
  select n.entity_id, 'pending', reported.side, reported.currency, reported.amount, reported.record_at, n.stream, n.record_id, null
  from books_internal.not_final n
  cross join lateral (
    select t.side, t.currency, t.record_at, case when t.side like 'into %' then t.amount else -t.amount end as amount
    from books_internal.reported_amounts t
    where (t.entity_id, t.stream, t.record_id) = (n.entity_id, n.stream, n.record_id) and t.outcome = 'set aside: not-final'
      and t.side is not null and t.currency is not null and t.amount <> 0
    offset 0
  ) as reported
  where reported.record_at < :'to'::timestamptz and books_internal.is_chosen(n.entity_id, :'entity')
)
select entity_id, status, account, currency, trim_scale(amount) as amount, since,
  books_internal.days_between(since, :'to'::timestamptz) as age_days, stream, record_id, entry_id
from line
order by entity_id collate "C", status collate "C", account collate "C", currency collate "C", since, stream collate "C",
  record_id collate "C", entry_id, amount;
