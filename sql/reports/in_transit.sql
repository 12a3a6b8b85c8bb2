-- In transit and pending: what had left one place and not arrived at the other at the period's end, and the records that
-- were not final at the time of the export.
-- For: treasury, month-end close. Ties to: trial_balance, closing of assets:clearing:*, which is the sum of the amounts in
-- transit; in-transit and pending of tie_outs. Pairs (clearing_matches) and reversed entries are left out. A pending record is
-- not booked: its amount is what it would add to or remove from our own accounts, each side on a row of its own.
--   psql -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/in_transit.sql
with followed as materialized (
  select * from books_internal.transit_at(:'to'::timestamptz) f where books_internal.is_chosen(f.entity_id, :'entity')
), pair as materialized (
  select f.entity_id, f.entry_id, p.entry_id as other_id, p.account, p.currency
  from followed f
  cross join lateral (select * from books_internal.counterparts(f.entity_id, f.entry_id) offset 0) as p
), moved as materialized ( -- an entry and its reversal sum to nothing
  select k.entity_id, k.entry_id, side.account, t.currency, e.stream, e.record_id, min(e.effective_at) as since, sum(side.amount) as amount
  from (
    select entity_id, entry_id from followed
    union
    select entity_id, other_id from pair
  ) as k
  cross join lateral (
    select * from books_internal.with_reversal(k.entity_id, k.entry_id) w where w.posted_at < :'to'::timestamptz offset 0
  ) as e
  cross join lateral (
    select * from books.transfers l where (l.entity_id, l.entry_id) = (e.entity_id, e.entry_id) offset 0
  ) as t
  cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount)
  where side.account like 'assets:clearing:%'
  group by 1, 2, 3, 4, 5, 6
  having sum(side.amount) <> 0
), line as (
  select m.entity_id, 'in transit' as status, m.account, m.currency, m.amount, m.since, m.stream, m.record_id, m.entry_id
  from followed
  join moved m using (entity_id, entry_id)
  where not exists ( -- a pair whose other side was reversed, or is later, is none
    select from pair p
    join moved o on (o.entity_id, o.entry_id, o.account, o.currency) = (p.entity_id, p.other_id, p.account, p.currency)
    where (p.entity_id, p.entry_id, p.account, p.currency) = (m.entity_id, m.entry_id, m.account, m.currency)
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
