-- Orders: the orders of trading that the trades of an entity name and that are not landed yet, and what may have changed since it was:
-- the names to request. An empty name is the list of open orders. `since` is the last request whose records were looked through.
-- For: extract, after all records of a night have landed. Ties to: books.requests, one for every hundred orders and one for the list.
--   psql -v entity=main -v since=0 -f sql/references/orders.sql
with fill as (
  select payload::jsonb ->> 'orderId' as order_id
  from land.records
  where entity_id = :'entity' and stream = 'trades' and request_id > :'since'::bigint
), snapshot as ( -- the newest, and the newest when names were last looked for
  select (
      select max(s.request_id) from land.snapshots s where s.entity_id = :'entity' and s.product = 'trading'
    ) as newest, (
      select max(s.request_id) from land.snapshots s
      where s.entity_id = :'entity' and s.product = 'trading' and s.request_id <= :'since'::bigint
    ) as before
), blocked as (
  select b.item_id
  from land.balances b
  where b.entity_id = :'entity' and b.request_id = any ((select array[newest, before] from snapshot)::bigint[]) and b.blocked <> 0
  group by b.item_id, b.blocked
  having count(*) < (select count(distinct s) from snapshot cross join unnest(array[newest, before]) as s where s is not null)
    or (select before is null from snapshot)
)
select name
from (
  select f.order_id
  from fill f
  where f.order_id <> '' and not exists (
    select from land.records b where (b.entity_id, b.stream, b.record_id) = (:'entity', 'trading-orders', f.order_id)
  )
  union
  select record_id from books_internal.open_orders
  where entity_id = :'entity' and status in ('open', 'inactive') and exists (select from blocked)
  union
  select '' from blocked
) as wanted (name)
order by name;
