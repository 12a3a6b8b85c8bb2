-- Price from rate: a fill landed by a run at a price that differs by a quarter or more from the gateway's own rates of its two
-- currencies within the hour. A fill without such a rate is not checked.
-- For: whoever looks for a typing error, or a figure at the wrong scale. Of what the run landed. Severity: note.
-- What to do: compare the fill with the market of that minute; if the platform cancelled it, its counter-entry is missing here.
--   psql -v run=<run_id> -f sql/checks/price_from_rate.sql
with fresh as (
  select t.entity_id, t.record_id, t.price, split_part(t.symbol, '/', 1) as base, split_part(t.symbol, '/', 2) as quote,
    date_trunc('hour', t.created_at, 'UTC') as hour
  from books.trades t
  where t.request_id > (select requests_before from books_internal.unchecked_since(:'run'::uuid))
    and t.request_id > ((select by_entity from books_internal.unchecked_since(:'run'::uuid)) ->> t.entity_id)::bigint
    and t.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid) and t.price > 0
    and t.outcome = 'booked'
), hourly as ( -- an entity's fills of a market in an hour share its rates; no join, because the planner cannot know how many are fresh
  select entity_id, base, quote, hour, array_agg(record_id) as record_ids, array_agg(price) as prices
  from fresh
  group by entity_id, base, quote, hour
), priced as (
  select h.entity_id, fill.record_id, fill.price, h.base, h.quote, rate.market
  from hourly h
  cross join lateral (
    select max(side.rate) filter (where side.is_quote) / max(side.rate) filter (where not side.is_quote) as market
    from (values (h.base, false), (h.quote, true)) as wanted (currency, is_quote)
    cross join lateral (
      select wanted.is_quote, q.rate from books.rates q
      where q.currency = wanted.currency and q.quote = 'USD'
        and q.applies_from >= h.hour - interval '30 min' and q.applies_from < h.hour + interval '90 min'
      order by greatest(q.applies_from - (h.hour + interval '30 min'), (h.hour + interval '30 min') - q.applies_from), q.applies_from limit 1
    ) as side
  ) as rate
  cross join lateral unnest(h.record_ids, h.prices) as fill (record_id, price)
)
select entity_id, 'trades ' || record_id as subject, 'assets:trading' as account, quote as currency, price as reported,
  round(market, 8) as booked, round(price - market, 8) as difference,
  format('bought or sold at %s %s, but the rates of the hour give %s', trim_scale(price), base || '/' || quote, trim_scale(round(market, 8)))
    as reason
from priced
where abs(price / market - 1) >= 0.25
order by entity_id, record_id
