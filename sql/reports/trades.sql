-- Trades: every trade of the period as reported by the gateway, with its outcome (booked, rejected, set aside: why).
-- For: trading desk, tax. Ties to: journal, by stream and record_id of the booked ones. A trade is in the period of its posting
-- date (a late one, or one corrected after its month was closed, is in the open month, and original_period is that in which it took effect), or
-- of created_at if it has no entry. One that a reopening returned to its own month is in that month alone. A trade without a readable
-- created_at is only in rejects. cost_euro and fee_percentage are the gateway's, never recomputed.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/trades.sql
with posted as (
  select p.entity_id, p.record_id, max(p.original_period) as original_period
  from books_internal.entries_within(:'from'::timestamptz, :'to'::timestamptz, :'by') p
  where p.stream = 'trades' and books_internal.is_chosen(p.entity_id, :'entity') and not ( -- back in its own month: few are late
    p.counted_at <> p.effective_at and exists (
      select from books.entries e where (e.entity_id, e.entry_id) = (p.entity_id, p.entry_id) and e.is_returned offset 0
    )
  )
  group by p.entity_id, p.record_id
), unposted as ( -- found by the record's time, which is created_at to the millisecond
  select r.entity_id, r.record_id, null::text as original_period
  from books.entities n
  join books.records r on (r.entity_id, r.stream, r.scope) = (n.entity_id, 'trades', '')
  where books_internal.is_chosen(n.entity_id, :'entity')
    and r.record_at >= :'from'::timestamptz - interval '1 ms' and r.record_at < :'to'::timestamptz + interval '1 ms'
    and (r.entity_id, r.record_id) not in (select entity_id, record_id from posted)
    and not exists ( -- one by one: a join would read the entries of all trades
      select from books.entries e where (e.entity_id, e.stream, e.record_id) = (r.entity_id, 'trades', r.record_id) offset 0
    )
)
select entity_id, record_id, version, created_at, symbol, side, order_type, order_id, trim_scale(price) as price,
  price_currency, trim_scale(amount) as amount, amount_currency, trim_scale(cost) as cost,
  trim_scale(cost_euro) as cost_euro, trim_scale(fee_amount) as fee_amount, fee_currency,
  trim_scale(fee_percentage) as fee_percentage, is_maker, outcome, p.original_period
from (
  select *, true as is_posted from posted
  union all
  select *, false from unposted
) as p
join books.trades t using (entity_id, record_id)
where p.is_posted or (created_at >= :'from'::timestamptz and created_at < :'to'::timestamptz)
order by entity_id collate "C", created_at, record_id collate "C";
