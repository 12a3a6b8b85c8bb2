-- In transit and pending: what had left one place and not arrived at the other at the period's end, and the records that
-- were not final at the time of the export.
-- For: treasury, month-end close. Ties to: trial_balance, closing of assets:clearing:*, which is the sum of the amounts in
-- transit; in-transit and pending of tie_outs. Pairs (clearing_matches) and reversed entries are left out. A pending record is
-- not booked: its amount is what it would add to or remove from our own accounts, each side on a row of its own.
--   psql -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/in_transit.sql
with moved as ( -- an entry and its reversal sum to nothing
  select f.entity_id, f.entry_id, m.*
  from books_internal.transit_at(:'to'::timestamptz, :'entity') f
  cross join lateral (select * from books_internal.clearing_sums(f.entity_id, f.entry_id, :'to'::timestamptz) offset 0) as m
), line as (
  select m.entity_id, 'in transit' as status, m.account, m.currency, m.amount, m.since, m.stream, m.record_id, m.entry_id
  from moved m
  where not exists ( -- a pair whose other side was reversed, or is later, is none; one by one, because few are to be expected
    select from books_internal.counterparts(m.entity_id, m.entry_id) p
    cross join lateral (
      select * from books_internal.clearing_sums(p.entity_id, p.entry_id, :'to'::timestamptz) offset 0
    ) as o
    where (p.account, p.currency) = (m.account, m.currency) and (o.account, o.currency) = (m.account, m.currency)
    offset 0
  )
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
