-- Price from rate: a fill landed by a run at a price that differs by a quarter or more from the gateway's own rates of its two
-- currencies within the hour. A fill without such a rate is not checked.
-- For: whoever looks for a typing error, or a figure at the wrong scale. Of what the run landed. Severity: note.
-- What to do: compare the fill with the market of that minute; if the platform cancelled it, its counter-entry is missing here.
--   psql -v run=<run_id> -f sql/checks/price_from_rate.sql
with fresh as (
  select t.entity_id, t.record_id, t.created_at, t.price, split_part(t.symbol, '/', 1) as base, split_part(t.symbol, '/', 2) as quote
  from books.trades t
  where t.request_id > (select requests_before from books.runs where run_id = :'run'::uuid)
    and t.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid) and t.price > 0
    and t.outcome = 'booked'
), wanted as (
  select distinct currency, hour
  from fresh
  cross join lateral (values (base), (quote)) as side (currency)
  cross join lateral date_trunc('hour', created_at, 'UTC') as hour
), hourly as (
  select w.currency, w.hour, nearest.rate
  from wanted w
  cross join lateral (
    select q.rate from books.rates q
    where q.currency = w.currency and q.quote = 'USD' and q.applies_from >= w.hour - interval '30 min' and q.applies_from < w.hour + interval '90 min'
    order by greatest(q.applies_from - (w.hour + interval '30 min'), (w.hour + interval '30 min') - q.applies_from), q.applies_from limit 1
  ) as nearest
), priced as (
  select f.*, q.rate / b.rate as market
  from fresh f
  join hourly b on (b.currency, b.hour) = (f.base, date_trunc('hour', f.created_at, 'UTC'))
  join hourly q on (q.currency, q.hour) = (f.quote, date_trunc('hour', f.created_at, 'UTC'))
)
select entity_id, 'trades ' || record_id as subject, 'assets:trading' as account, quote as currency, price as reported,
  round(market, 8) as booked, round(price - market, 8) as difference,
  format('bought or sold at %s %s, but the rates of the hour give %s', trim_scale(price), base || '/' || quote, trim_scale(round(market, 8)))
    as reason
from priced
where abs(price / market - 1) >= 0.25
order by entity_id, record_id
