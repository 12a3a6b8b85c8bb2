-- Order fills: a final order whose filled amount is not the sum of the landed trades that name it: a trade that was never
-- listed, or one that was listed twice. Orders read in the last week, whose whole life the list of trades covers.
-- For: whoever checks that a list of trades is complete. Severity: note. (A platform may round the figure of an order.)
-- What to do: read the order's trades on the platform and compare them with books.trades; if one lacks, run extract --full.
--   psql -v run=<run_id> -f sql/checks/order_fills.sql
with final as (
  select o.entity_id, o.record_id, o.symbol, o.status, o.filled_amount, o.created_at, coalesce(o.updated_at, o.landed_at) as ended_at
  from books.trading_orders o
  join land.coverage c on (c.entity_id, c.stream, c.scope) = (o.entity_id, 'trades', '')
  where o.landed_at >= upper(c.covered) - interval '168:00:00' and o.status in ('filled', 'cancelled', 'canceled')
    and o.filled_amount >= 0 and o.created_at <= coalesce(o.updated_at, o.landed_at)
    and c.covered @> tstzrange(o.created_at, coalesce(o.updated_at, o.landed_at), '[]')
), fill as ( -- each trade once, of the time that some order was open
  select t.entity_id, t.record_at, j ->> 'orderId' as order_id, books_internal.amount_of(j ->> 'amount') as amount
  from books_internal.latest_records t
  cross join lateral (select t.payload::jsonb as j offset 0) as parsed
  where t.stream = 'trades' and t.scope = '' and t.record_at >= (select min(created_at) from final) - interval '00:01:00'
), filled as (
  select o.entity_id, o.record_id, o.symbol, o.status, o.filled_amount, count(f.order_id) as fills,
    case when count(f.amount) = count(f.order_id) then coalesce(sum(f.amount), 0) end as amount
  from final o
  left join fill f on (f.entity_id, f.order_id) = (o.entity_id, o.record_id)
    and f.record_at >= o.created_at - interval '00:01:00' and f.record_at <= o.ended_at + interval '00:01:00'
  group by 1, 2, 3, 4, 5
)
select entity_id, 'trading-orders ' || record_id as subject, 'assets:trading' as account, split_part(symbol, '/', 1) as currency,
  filled_amount as reported, amount as booked, trim_scale(filled_amount - amount) as difference,
  format('the order is %s with %s %s by its own figure, and %s in %s', status, trim_scale(filled_amount), split_part(symbol, '/', 1),
    trim_scale(amount), case fills when 1 then '1 landed trade' else fills || ' landed trades' end) as reason
from filled
where filled_amount <> amount and exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, subject
