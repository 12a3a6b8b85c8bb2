-- People records: the next records of an entity with personal fields, by stream and id, each with the fields of all its
-- versions. It may be erased once it is older than the retention period; its age counts from its own time, or else from its
-- landing, also where its own is later. A delivery of the authorization webhook is the record of its transaction, or, without an
-- id, its own; a line of a bank statement is a record by its account and number, as old as its day.
-- For: erase and hold, which read them in batches. Ties to: land.people.
--   psql -v entity=main -v after_stream= -v after_record= -v years=5 -v now=2026-11-01 -v most=20 -f sql/privacy/people_records.sql
with people as (
  select stream, record_id, array_agg(path) as paths, array_agg(value) as values
  from land.people
  where entity_id = :'entity' and (stream, record_id) > (:'after_stream', :'after_record')
  group by stream, record_id
  order by stream, record_id
  limit :'most'::int
)
select p.*, age.may_go_at, age.may_go_at > :'now'::timestamptz as is_young
from people p
cross join lateral (
  select max(seen.seen_at) + make_interval(years => :'years'::int) as may_go_at
  from (
    select least(r.record_at, r.landed_at) as seen_at from land.records r
    where (r.entity_id, r.stream, r.record_id) = (:'entity', p.stream, p.record_id)
    union all
    select a.received_at from land.authorizations a
    where p.stream = 'authorizations' and (a.entity_id, a.transaction_id) = (:'entity', p.record_id)
    union all
    select a.received_at from land.authorizations a
    where p.stream = 'authorizations' and a.entity_id = :'entity' and a.transaction_id is null
      and 'delivery ' || a.delivery_number = p.record_id
    union all
    select l.booked_on::timestamp at time zone 'UTC' from land.external_lines l
    where p.stream = 'bank-lines' and l.entity_id = :'entity'
      and (l.account_name, l.line_number) = (regexp_replace(p.record_id, ' \d+$', ''), substring(p.record_id from '\d+$')::integer)
  ) as seen
) as age
order by p.stream, p.record_id;
