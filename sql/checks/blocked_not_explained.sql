-- Blocked, not explained: blocked funds of the trading wallet that open orders and bots do not explain to the last digit, if the
-- open orders were read in the run that read the balance. Orders that changed after that reading prove nothing.
-- For: the analyst who wants to know why funds are blocked. Severity: note.
-- What to do: look at the open orders and bots on the platform; the fee that an order reserves is not reported (A-ORDER-RESERVE).
--   psql -v run=<run_id> -f sql/checks/blocked_not_explained.sql
with changed as materialized ( -- once for all currencies: a first night lands ten thousand orders
  select o.entity_id, max(books_internal.instant_of(o.payload::jsonb ->> 'updatedAt')) as last_at
  from books_internal.landed_records o
  where o.stream = 'trading-orders' and o.request_id > (select requests_before from books.runs where run_id = :'run'::uuid)
    and o.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid)
  group by o.entity_id
)
select b.entity_id, 'blocked ' || b.currency as subject, b.account, b.currency, b.blocked as reported, trim_scale(b.in_orders + b.with_bots) as booked,
  b.unexplained as difference,
  format('%s %s is blocked; open orders reserve %s and bots hold %s, which leaves %s unexplained', b.blocked, b.currency, b.in_orders, b.with_bots,
    b.unexplained) as reason
from books.blocked_balances b
join books.runs n on n.run_id = b.run_id
where b.run_id = :'run'::uuid and b.account = 'assets:trading' and b.blocked <> 0
  and case -- in this order: without a new list of open orders none is looked at
    when not exists ( -- a full page may lack some
      select from books_internal.list_requests q
      where (q.entity_id, q.run_id, q.stream) = (b.entity_id, b.run_id, 'trading-orders') and q.request_id > n.requests_before
        and q.request_id <= coalesce(n.requests_to, 9223372036854775807) and not q.is_by_id and q.rows < 100
    ) then false
    when exists ( -- an order that changed after the reading was landed after it
      select from changed c where c.entity_id = b.entity_id and c.last_at > b.taken_at
    ) then false
    else b.unexplained <> 0
  end
order by b.entity_id, b.currency
