-- Same fill: two trades that differ only in their id, one of them landed by a run. One order can take two equal offers in one
-- millisecond, so it is not a break; if trading does not tie, it is a candidate for the cause.
-- For: whoever looks for records listed twice. Of what the run landed. Severity: note.
-- What to do: look the order up on the platform, and count its fills. Of more than two, each is named with the one before it by id.
--   psql -v run=<run_id> -f sql/checks/same_fill.sql
with fresh as (
  select b.entity_id, b.record_at, min(b.request_id) as first_request, max(b.request_id) as last_request
  from books.records b
  where b.stream = 'trades' and b.request_id > (select requests_before from books_internal.unchecked_since(:'run'::uuid))
    and b.request_id > ((select by_entity from books_internal.unchecked_since(:'run'::uuid)) ->> b.entity_id)::bigint
    and b.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid)
  group by b.entity_id, b.record_at
),
fills as (
  select o.entity_id, o.record_at, o.record_id, o.request_id between f.first_request and f.last_request as is_fresh,
    j ->> 'orderId' as order_id, j ->> 'symbol' as symbol, j ->> 'side' as side, books_internal.amount_of(j ->> 'price') as price,
    books_internal.amount_of(j ->> 'amount') as amount, books_internal.amount_of(j ->> 'cost') as cost
  from fresh f
  join books.records o on (o.entity_id, o.stream, o.scope, o.record_at) = (f.entity_id, 'trades', '', f.record_at)
  cross join lateral (select o.payload::jsonb as j offset 0) as parsed
),
neighbours as (
  select f.*, lag(record_id) over alike as other_id, lag(is_fresh) over alike as is_other_fresh
  from fills f
  where num_nulls(order_id, symbol, side, price, amount, cost) = 0
  window alike as (
    partition by entity_id, record_at, order_id, symbol, side, price, amount, cost order by record_id
  )
)
select entity_id, format('trades %s and %s', other_id, record_id) as subject,
  'assets:trading' as account, split_part(symbol, '/', 1) as currency, null::numeric as reported,
  trim_scale(amount) as booked, null::numeric as difference,
  format('trades %s and %s look like one fill under two ids', other_id, record_id) as reason
from neighbours
where other_id is not null and (is_fresh or is_other_fresh)
order by 1, 2
