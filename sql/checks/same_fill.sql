-- Same fill: two trades that differ only in their id, one of them landed by a run. One order can take two equal offers in one
-- millisecond, so it is not a break; if trading does not tie, it is a candidate for the cause.
-- For: whoever looks for records listed twice. Of what the run landed. Severity: note.
-- What to do: look the order up on the platform, and count its fills.
--   psql -v run=<run_id> -f sql/checks/same_fill.sql
with fresh as (
  select b.entity_id, b.record_id, b.record_at, b.payload::jsonb - 'id' as body
  from books.records b
  where b.stream = 'trades' and b.request_id > (select requests_before from books_internal.unchecked_since(:'run'::uuid))
    and b.request_id > ((select by_entity from books_internal.unchecked_since(:'run'::uuid)) ->> b.entity_id)::bigint
    and b.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid)
)
select distinct f.entity_id, format('trades %s and %s', least(f.record_id, o.record_id), greatest(f.record_id, o.record_id)) as subject,
  'assets:trading' as account, split_part(f.body ->> 'symbol', '/', 1) as currency, null::numeric as reported,
  trim_scale(books_internal.amount_of(f.body ->> 'amount')) as booked, null::numeric as difference,
  format('trades %s and %s look like one fill under two ids', least(f.record_id, o.record_id), greatest(f.record_id, o.record_id))
    as reason
from fresh f
join books.records o on (o.entity_id, o.stream, o.scope, o.record_at) = (f.entity_id, 'trades', '', f.record_at)
  and o.record_id <> f.record_id
cross join lateral (select o.payload::jsonb as j) as other
where (f.body ->> 'orderId', f.body ->> 'symbol', f.body ->> 'side') = (j ->> 'orderId', j ->> 'symbol', j ->> 'side')
  and (books_internal.amount_of(f.body ->> 'price'), books_internal.amount_of(f.body ->> 'amount'), books_internal.amount_of(f.body ->> 'cost'))
    = (books_internal.amount_of(j ->> 'price'), books_internal.amount_of(j ->> 'amount'), books_internal.amount_of(j ->> 'cost'))
order by 1, 2
