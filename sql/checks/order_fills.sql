-- Order fills: a final order whose filled amount is not the sum of the landed trades that name it: a trade that was never
-- listed, or one that was listed twice. Orders read in the last week, whose whole life the list of trades covers: those that the
-- run landed, those that its trades name, and those of the two days before the proof of the trades ends.
-- For: whoever checks that a list of trades is complete. Of what the run landed. Severity: note. (A platform may round the figure
-- of an order.)
-- What to do: read the order's trades on the platform and compare them with books.trades; if one lacks, run extract --full.
--   psql -v run=<run_id> -f sql/checks/order_fills.sql
with proved as (
  select entity_id, covered from books_internal.lists where stream = 'trades' and scope = ''
), fresh as (
  select r.entity_id, case r.stream when 'trades' then r.payload::jsonb ->> 'orderId' else r.record_id end as order_id
  from books_internal.landed_records r
  where r.request_id > (select requests_before from books_internal.unchecked_since(:'run'::uuid))
    and r.request_id > ((select by_entity from books_internal.unchecked_since(:'run'::uuid)) ->> r.entity_id)::bigint
    and r.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid)
    and r.stream in ('trades', 'trading-orders')
  union
  select p.entity_id, r.record_id
  from proved p
  cross join lateral ( -- by their time
    select k.record_id from books_internal.landed_records k
    where (k.entity_id, k.stream, k.scope) = (p.entity_id, 'trading-orders', '') and k.record_at >= upper(p.covered) - interval '48:00:00'
    offset 0
  ) as r
), final as materialized (
  select o.entity_id, o.record_id as order_id, o.symbol, o.status, o.filled_amount,
    tstzrange(o.created_at - interval '00:01:00', coalesce(o.updated_at, o.landed_at) + interval '00:01:00', '[]') as life
  from fresh f
  join proved p using (entity_id)
  cross join lateral (
    select * from books.trading_orders t where (t.entity_id, t.record_id) = (f.entity_id, f.order_id) offset 0
  ) as o
  where o.landed_at >= upper(p.covered) - interval '168:00:00' and o.status in ('filled', 'cancelled', 'canceled')
    and o.filled_amount >= 0 and o.created_at <= coalesce(o.updated_at, o.landed_at)
    and p.covered @> tstzrange(o.created_at, coalesce(o.updated_at, o.landed_at), '[]')
), fill as ( -- each trade once, of the time that some order was open
  select t.entity_id, j ->> 'orderId' as order_id, t.record_at, books_internal.amount_of(j ->> 'amount') as amount
  from (select entity_id, unnest(range_agg(life)) as open from final group by entity_id) as stretch
  cross join lateral (
    select * from books_internal.landed_records r
    where (r.entity_id, r.stream, r.scope) = (stretch.entity_id, 'trades', '') and r.record_at >= lower(stretch.open)
      and r.record_at <= upper(stretch.open)
    offset 0
  ) as t
  cross join lateral (select t.payload::jsonb as j offset 0) as parsed
  where not exists (
    select from books_internal.landed_records newer
    where (newer.entity_id, newer.stream, newer.record_id) = (t.entity_id, t.stream, t.record_id) and newer.version > t.version
    offset 0
  )
), placed as ( -- side by side by the id of the order: a join would compare each order with each trade
  select *, max(upper(life)) over each as until, max(lower(life)) over each as since
  from (
    select entity_id, order_id, symbol, status, filled_amount, life, null::timestamptz as record_at, null::numeric as amount from final
    union all
    select entity_id, order_id, null, null, null, null, record_at, amount from fill
  ) as both_sides
  window each as (partition by entity_id, order_id)
), filled as (
  select entity_id, order_id, max(symbol) as symbol, max(status) as status, max(filled_amount) as filled_amount, count(record_at) as fills,
    case when count(amount) = count(record_at) then coalesce(sum(amount), 0) end as amount
  from placed
  where life is not null or (record_at >= since and record_at <= until)
  group by 1, 2
)
select entity_id, 'trading-orders ' || order_id as subject, 'assets:trading' as account, split_part(symbol, '/', 1) as currency,
  filled_amount as reported, amount as booked, trim_scale(filled_amount - amount) as difference,
  format('the order is %s with %s %s by its own figure, and %s in %s', status, trim_scale(filled_amount), split_part(symbol, '/', 1),
    trim_scale(amount), case fills when 1 then '1 landed trade' else fills || ' landed trades' end) as reason
from filled
where filled_amount <> amount
order by entity_id, subject
