-- Days without rates: the ends of days without landed rates, oldest first, from the first day of the books to the last one
-- that is over, but only some years back; what waits to be booked counts. None before anything has landed. A rate is valid for
-- 24 hours, so a day on which clocks go back has one more time, before its last hour. An answer with a rate that cannot be used may be
-- a passing fault of the gateway, and no other answer has that day's rate: later runs ask again, until three have. The cost of a stated
-- lot in another currency needs the rate at the end of the day (UTC) of its acquisition, which may be long before the books.
-- For: extract, which asks for the rates at these times. Ties to: land.rate_lists.
--   psql -v currency=EUR -v timezone=UTC -v now=2026-11-01 -v years=20 -v run=00000000-0000-0000-0000-000000000000 -f sql/valuation/days_without_rates.sql
with earliest as (
  select first.effective_at
  from run.entities n
  cross join lateral ( -- ids begin with their time
    select e.effective_at from ledger.entries e where e.entity_id = n.entity_id order by e.entry_id limit 1
  ) as first
  union all
  select r.record_at from land.inbox i join land.records r using (entity_id, stream, record_id, version)
), days as (
  select greatest(min(effective_at at time zone 'UTC')::date, (:'now'::timestamptz - make_interval(years => :'years'::int))::date) as first
  from earliest
  having min(effective_at) is not null -- greatest() ignores null
), midnight as (
  select books_internal.local_start(day, :'timezone') as ends_at,
    books_internal.local_start(day - interval '1 day', :'timezone') + interval '24 hours' as aged_at
  from days cross join lateral generate_series(
    (first - 1)::timestamp, :'now'::timestamptz at time zone :'timezone', interval '1 day'
  ) as day
), wanted as (
  select ends_at from midnight
  union
  select aged_at from midnight where aged_at < ends_at
  union
  select (acquired_on + 1)::timestamp at time zone 'UTC'
  from books_internal.stated_lots
  where cost_currency <> :'currency' and acquired_on >= :'now'::timestamptz - make_interval(years => :'years'::int)
    and exists (select from days)
), asked_enough as materialized (
  select l.at
  from land.rate_lists l
  join land.requests q using (entity_id, request_id)
  where l.source = 'rates' and l.received > 0 and l.skipped > 0
  group by l.at
  having bool_or(q.run_id = :'run'::uuid) or count(distinct q.run_id) >= 3
)
select ends_at from wanted
where ends_at <= :'now'::timestamptz and not exists (
  select from land.rate_lists l
  where l.source = 'rates' and l.at = wanted.ends_at and l.received > 0 and l.skipped = 0
) and not exists (select from asked_enough a where a.at = wanted.ends_at)
order by ends_at;
