-- Rates: every rate of some currencies between two instants, in order of time, each with the reporting currency's rate from
-- the same record: the gateway's, against the dollar, and the central bank's, against the euro.
-- For: valuation, which takes the nearest. Ties to: land.rates and land.official_rates.
--   psql -v reporting=EUR -v currencies='{BTC}' -v since=2026-10-01 -v until=2026-11-01 -f sql/valuation/rates.sql
with received as (
  -- The window, not a join with itself: the cost of a join depends on statistics that a first night does not have.
  select r.currency, r.at as quoted_at, r.rate, r.entity_id, r.request_id, r.entry,
    case when :'reporting' = 'USD' then 1::numeric else max(r.rate) filter (where r.currency = :'reporting')
      over (partition by r.entity_id, r.request_id, r.entry, r.at) end as of_reporting
  from land.rates r
  where r.currency = any(:'currencies'::text[] || :'reporting'::text) and r.currency <> 'USD'
    and r.at between :'since'::timestamptz and :'until'::timestamptz
), quoted as ( -- the dollar itself is in every record
  select currency, quoted_at, rate as of_currency, of_reporting, entity_id, request_id, entry from received
  union
  select 'USD', quoted_at, 1, of_reporting, entity_id, request_id, entry from received
), gateway as (
  select q.currency, q.quoted_at, concat_ws(' ', l.source, nullif(l.subject, ''), to_char(q.quoted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as name,
    'USD' as base, q.of_currency, q.of_reporting, q.request_id
  from quoted q
  join land.rate_lists l using (entity_id, request_id, entry)
  where q.currency = any(:'currencies'::text[]) and q.of_reporting is not null
), day as (
  select distinct on (o.currency, o.day) o.currency, o.day, o.rate from land.official_rates o
  where o.currency = any(:'currencies'::text[] || :'reporting'::text)
    and o.day between (:'since'::timestamptz)::date - 1 and (:'until'::timestamptz)::date
  order by o.currency, o.day, o.file_id desc
), euro as (
  select currency, day, rate from day
  union all
  select 'EUR', day, 1 from day group by day
), official as (
  select quoted.currency, (quoted.day + time '16:00') at time zone 'Europe/Berlin' as quoted_at, 'ecb ' || quoted.day as name, 'EUR' as base,
    quoted.rate as of_currency, reporting.rate as of_reporting, 0 as request_id
  from euro quoted join euro reporting using (day)
  where quoted.currency = any(:'currencies'::text[]) and reporting.currency = :'reporting'
)
select currency, (extract(epoch from quoted_at) * 1000000)::bigint as micros, name as source, base, of_currency::text, of_reporting::text
from (
  select currency, quoted_at, name, base, of_currency, of_reporting, request_id from gateway
  union all
  select currency, quoted_at, name, base, of_currency, of_reporting, request_id from official
) as rate
order by quoted_at, name, request_id;
