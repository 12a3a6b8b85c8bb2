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
)
select o.entity_id, 'trading-orders ' || o.record_id as subject, 'assets:trading' as account, split_part(o.symbol, '/', 1) as currency,
  o.filled_amount as reported, f.amount as booked, trim_scale(o.filled_amount - f.amount) as difference,
  format('the order is %s with %s %s by its own figure, and %s in %s', o.status, trim_scale(o.filled_amount), split_part(o.symbol, '/', 1),
    trim_scale(f.amount), case f.fills when 1 then '1 landed trade' else f.fills || ' landed trades' end) as reason
from final o
cross join lateral (
  select count(*) as fills, case when count(amount) = count(*) then coalesce(sum(amount), 0) end as amount
  from (
    select books_internal.amount_of(r.payload::jsonb ->> 'amount') as amount
    from books_internal.latest_records r
    where (r.entity_id, r.stream, r.scope) = (o.entity_id, 'trades', '') and strpos(r.payload, o.record_id) > 0
      and r.record_at >= o.created_at - interval '00:01:00' and r.record_at <= o.ended_at + interval '00:01:00'
      and r.payload::jsonb ->> 'orderId' = o.record_id
  ) as fill
) as f
where o.filled_amount <> f.amount and exists (select from books.runs where run_id = :'run'::uuid)
order by o.entity_id, subject
