-- Teller orders: a wallet transaction of the last 30 days that contradicts its teller order: the order has been cancelled for a
-- day and the record is still not final, or the order is cancelled and the record is booked.
-- For: reconcile. Severity: note.
-- What to do: look the order up on the platform; what it charged or paid decides which of the two is right.
--   psql -v run=<run_id> -f sql/checks/teller_orders.sql
select n.entity_id, 'wallet-transactions ' || w.record_id as subject, null as account, null as currency, null::numeric as reported,
  null::numeric as booked, null::numeric as difference,
  case w.outcome
    when 'booked' then format('a wallet transaction is booked as %s, and its teller order %s is cancelled', w.payload::jsonb ->> 'status', o.record_id)
    else format('a wallet transaction is not final (%s), and its teller order %s has been cancelled since %s', w.payload::jsonb ->> 'status', o.record_id, o.landed_at)
  end as reason
from books.runs r
cross join books.entities n
cross join lateral ( -- by their time
  select l.entity_id, l.stream, l.record_id, l.version, l.payload::jsonb #>> '{fee,teller,id}' as order_id
  from books_internal.landed_records l
  where (l.entity_id, l.stream, l.scope) = (n.entity_id, 'wallet-transactions', '') and l.record_at > r.started_at - interval '30 days'
    and l.payload like '%"teller"%' -- parses few
  offset 0
) as l
cross join lateral ( -- by its key, both
  select * from books.teller_orders t where (t.entity_id, t.record_id) = (l.entity_id, l.order_id) offset 0
) as o
cross join lateral (
  select * from books.records k where (k.entity_id, k.stream, k.record_id, k.version) = (l.entity_id, l.stream, l.record_id, l.version) offset 0
) as w
where r.run_id = :'run'::uuid and o.status = 'cancelled' and o.landed_at > r.started_at - interval '30 days'
  and (w.outcome = 'booked' or (w.outcome = 'set aside: not-final' and o.landed_at <= r.started_at - interval '24:00:00'))
order by n.entity_id, subject
