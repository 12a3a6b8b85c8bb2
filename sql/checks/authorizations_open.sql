-- Open authorizations, of the last 30 days: authorized transactions that no record followed within 24 hours; requests that cannot
-- be read, or that name a user without books; and, where the webhook was in use, records of a type that it covers which nobody
-- authorized. No money is missing by any of them.
-- For: reconcile, which notes them. Severity: note.
-- What to do: ask the platform whether the transaction failed, or whether the webhook covers it; read the bodies in
-- books.authorization_deliveries, if requests cannot be read.
--   psql -v run=<run_id> -f sql/checks/authorizations_open.sql
with recent as (
  select d.*, coalesce(d.user_entity_id, d.entity_id) as books_entity_id
  from books.authorization_deliveries d
  where d.received_at > (select started_at from books.runs where run_id = :'run'::uuid) - interval '30 days'
), span as (
  select books_entity_id as entity_id, min(received_at) as first_at, max(received_at) as last_at from recent group by 1
), typed as (
  select s.entity_id, s.first_at, s.last_at, r.record_id, r.payload::jsonb ->> 'type' as type,
    exists (select from recent d where d.transaction_id = r.record_id) as is_covered
  from span s
  join books_internal.landed_records l on (l.entity_id, l.stream) = (s.entity_id, 'wallet-transactions')
    and l.record_at between s.first_at and s.last_at
  join books.records r on (r.entity_id, r.stream, r.record_id, r.version) = (l.entity_id, l.stream, l.record_id, l.version)
), found as (
  select entity_id, 'authorization ' || transaction_id || coalesce(' of user ' || user_id, '') as subject,
    format('%s %s was authorized, and no wallet transaction followed within 24 hours', trim_scale(amount), currency) as reason
  from books.authorizations
  where status = 'not followed' and first_received_at > (select min(first_at) from span) - interval '1 microsecond'
  union all
  select entity_id, 'unreadable authorizations',
    format('%s of the requests that the webhook received cannot be read, and were refused; the last: %s', count(*), max(reason))
  from recent where transaction_id is null or amount is null or currency is null
  group by entity_id
  union all
  select entity_id, 'authorizations of unknown users',
    format('%s of the requests that the webhook received name users without books (%s)', count(*), min(user_id))
  from recent where user_id is not null and user_entity_id is null
  group by entity_id
  union all
  select entity_id, 'wallet transactions without authorization: ' || type,
    format('%s of type %s between the first and the last request to the webhook were not authorized, such as %s',
      count(*) filter (where not is_covered), type, min(record_id) filter (where not is_covered))
  from typed
  group by entity_id, type
  having bool_or(is_covered) and not bool_and(is_covered)
)
select entity_id, subject, null as account, null as currency, null::numeric as reported, null::numeric as booked,
  null::numeric as difference, reason
from found
order by entity_id, subject
