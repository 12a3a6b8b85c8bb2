-- Rate times: when rates apply, and how many do, apart the gateway's and the central bank's, in order; without those of one
-- currency, whose rate is always one.
-- For: valuation, which derives a month again when a rate arrives that one of its entries may need. Ties to: land.rates and
-- land.official_rates.
--   psql -v currency=EUR -f sql/valuation/rate_times.sql
select is_official, (extract(epoch from quoted_at) * 1000000)::bigint as micros, rates
from (
  select false as is_official, at as quoted_at, count(*)::int as rates
  from land.rates where currency <> :'currency' group by at
  union all
  select true, (day + time '16:00') at time zone 'Europe/Berlin', count(*)::int from land.official_rates group by day
) as counted
order by is_official, micros;
