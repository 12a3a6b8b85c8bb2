-- Teller orders: a wallet transaction of the last 30 days that contradicts its teller order: the order has been cancelled for a
-- day and the record is still not final, or the order is cancelled and the record is booked.
-- For: reconcile. Severity: note.
-- What to do: look the order up on the platform; what it charged or paid decides which of the two is right.
--   psql -v run=<run_id> -f sql/checks/teller_orders.sql
select w.entity_id, 'wallet-transactions ' || w.record_id as subject, null as account, null as currency, null::numeric as reported,
  null::numeric as booked, null::numeric as difference,
  case w.outcome
    when 'booked' then format('booked as %s, and its teller order %s is cancelled', w.payload::jsonb ->> 'status', o.record_id)
    else format('not final (%s), and its teller order %s has been cancelled since %s', w.payload::jsonb ->> 'status', o.record_id, o.landed_at)
  end as reason
from books.teller_orders o
join books.runs r on r.run_id = :'run'::uuid
join land.records l on (l.entity_id, l.stream, l.scope) = (o.entity_id, 'wallet-transactions', '')
  and l.record_at > r.started_at - interval '30 days'
  and case when l.payload like '%"teller"%' then l.payload::jsonb #>> '{fee,teller,id}' end = o.record_id -- parses few
join books.records w on (w.entity_id, w.stream, w.record_id, w.version) = (l.entity_id, l.stream, l.record_id, l.version)
where o.status = 'cancelled' and o.landed_at > r.started_at - interval '30 days'
  and (w.outcome = 'booked' or (w.outcome = 'set aside: not-final' and o.landed_at <= r.started_at - interval '24:00:00'))
order by w.entity_id, subject
