-- Open lots: what is left of each lot at the period's end, with its cost and market value.
-- For: tax, month-end close, audit. Ties to: valuation. Per taxpayer and asset, the units without those of pool external sum to the
-- units of valuation, and the cost to its cost less rounding_value; the reporting currency has no lots. A line with origin
-- without-lot and negative units stands for disposals that no lot covers. Lots belong to the taxpayer: entity_id acquired the lot, and
-- another entity of the taxpayer may hold its units. cost is what the units left cost (with method average, their share of the pool's
-- cost), empty if not known. cost, unit_cost, market_value and unrealised are exact, not rounded to cents. as_of, market_source
-- and market_at are those of valuation. acquired_on and held_days, to the last day before as_of if there is one, are in the books' timezone;
-- is_over_a_year: that day comes after the same day of the year after the acquisition. pool external: held in external wallets of our own.
--   psql -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/open_lots.sql
with proved as (
  select entity_id, min(coalesce(covered_to, 'infinity')) as to_instant
  from books.coverage
  group by entity_id, stream, scope
), seen as (
  select n.entity_id, n.currency as value_currency, coalesce(n.timezone, 'UTC') as timezone, least(min(p.to_instant), :'to'::timestamptz) as as_of
  from books.entities n
  left join proved p using (entity_id)
  where books_internal.is_chosen(n.entity_id, :'entity')
  group by n.entity_id, n.currency, n.timezone
), open_lot as (
  select l.taxpayer, l.currency, l.lot_id, l.entity_id, l.acquired_at, l.units_left as units, l.cost_left as cost, l.origin, l.method,
    l.pool
  from books_internal.lots_among(:'to'::timestamptz, :'by', true) l
  where l.units_left <> 0
  union all
  select u.taxpayer, u.currency, null, u.entity_id, null, -sum(u.units), null, 'without-lot', null, u.pool
  from books.disposals_without_lot u
  join seen s using (entity_id)
  where u.pool not in ('external', 'in-transit') and case when u.period < to_char(:'to'::timestamptz at time zone s.timezone, 'YYYY-MM') then true else (
    select books_internal.posting_date(e.entity_id, e.original_period, :'by', e.effective_at, e.posted_at) < :'to'::timestamptz
    from books.entries e where (e.entity_id, e.entry_id) = (u.entity_id, u.entry_id)
  ) end
  group by u.taxpayer, u.currency, u.entity_id, u.pool
  having sum(u.units) <> 0
), rate as materialized (
  select s.as_of, r.*
  from (select distinct as_of from seen) as s
  cross join lateral books_internal.market_rates(s.as_of) r
), priced as (
  select o.*, s.value_currency, s.as_of, (o.acquired_at at time zone s.timezone)::date as acquired_on,
    case when isfinite(s.as_of) then ((s.as_of - interval '1 us') at time zone s.timezone)::date end as last_day,
    round(o.units * round(r.reporting_units, 40) / r.currency_units, 18) as market_value, r.record_id as market_source,
    r.applies_from as market_at
  from open_lot o
  join seen s using (entity_id)
  left join rate r on (r.as_of, r.currency, r.reporting) = (s.as_of, o.currency, s.value_currency)
)
select taxpayer, currency as asset, lot_id, entity_id, as_of, acquired_on, trim_scale(units) as units, value_currency,
  trim_scale(cost) as cost, trim_scale(round(cost / units, 18)) as unit_cost, trim_scale(market_value) as market_value,
  trim_scale(market_value - cost) as unrealised, last_day - acquired_on as held_days, last_day > (acquired_on + interval '1 year')::date as is_over_a_year,
  origin, method, pool, market_source, market_at
from priced
order by taxpayer collate "C", currency collate "C", pool collate "C", acquired_on nulls last, lot_id collate "C", entity_id collate "C";
