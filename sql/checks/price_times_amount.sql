-- Price times amount: a fill landed by a run whose cost is not its price times its amount, to the last decimal of the cost or
-- to the second decimal. The gateway's cost is booked.
-- For: whoever checks what the platform charged. Of what the run landed. Severity: note.
-- What to do: look the fill up on the platform; the balance contains what its order was charged.
--   psql -v run=<run_id> -f sql/checks/price_times_amount.sql
select t.entity_id, 'trades ' || t.record_id as subject, 'assets:trading' as account, split_part(t.symbol, '/', 2) as currency,
  t.cost as reported, t.price * t.amount as booked, t.cost - t.price * t.amount as difference,
  format('%s x %s is %s, but the cost of the fill is %s', trim_scale(t.price), trim_scale(t.amount),
    trim_scale(t.price * t.amount), trim_scale(t.cost)) as reason
from books.trades t
where t.request_id > (select requests_before from books_internal.unchecked_since(:'run'::uuid))
  and t.request_id > ((select by_entity from books_internal.unchecked_since(:'run'::uuid)) ->> t.entity_id)::bigint
  and t.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid)
  and abs(t.cost - t.price * t.amount) >= ('1e-' || greatest(scale(t.cost), 2))::numeric
order by t.entity_id, t.record_id
