-- Values: the money of a period in the reporting currency, over the chosen entities, as rows of four kinds. step: what changed
-- the carrying amount of the holdings, from opening to closing, signed as the change; the steps between sum to their difference. asset:
-- units, cost and market value of each asset at the beginning (opening) and the end (closing). place: the same money by place. owed:
-- liabilities, negative. as_of, rates and market value are those of valuation at each moment, in cents per entity and asset; the places
-- of an asset sum to it, the remaining cents are on the largest. unrealised is market less cost where both are known; unpriced counts
-- the assets of entities without a rate, unvalued those whose cost is not known or not whole, or of a step the lines without a value.
-- For: the report page. Ties to: trial_balance, the columns …_value: opening and closing of assets:* but assets:tax-withheld; in
-- and out are credit and debit of equity:external:*, the other steps credit less debit of their accounts; late is prior_period, other
-- the rounding. valuation: units, cost, market_value and unrealised at the end.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/page/values.sql
with own as materialized (
  select n.entity_id, n.currency as reporting from books.entities n where books_internal.is_chosen(n.entity_id, :'entity')
), missing as materialized ( -- lines of the period without a value, as many as each figure of their account lacks; conversion is zero in every entry
  select v.entity_id, v.account, v.currency, count(*) as lines, count(*) filter (where v.effective_at < :'from'::timestamptz) as late,
    count(*) filter (where v.effective_at >= :'from'::timestamptz and v.units > 0) as debit,
    count(*) filter (where v.effective_at >= :'from'::timestamptz and v.units < 0) as credit
  from books_internal.value_lines_within(:'from'::timestamptz, :'to'::timestamptz, 'posted_at') v
  where v.value is null and v.account <> 'equity:conversion' and books_internal.is_chosen(v.entity_id, :'entity')
  group by v.entity_id, v.account, v.currency
), total as materialized ( -- the value of each account in the period
  select o.reporting, t.*, coalesce(m.lines, 0) as missing_lines, coalesce(m.late, 0) as missing_late, coalesce(m.debit, 0) as missing_debit,
    coalesce(m.credit, 0) as missing_credit, books_internal.is_holding(t.account) as is_held, case
      when t.account = 'assets:trading' then 'trading'
      when t.account = 'assets:trading-bots' then 'bots'
      when t.account = 'assets:earn' then 'earn'
      when t.account like 'assets:pocket:%' then 'pockets'
      when t.account like 'assets:clearing:%' then 'in transit'
      when t.account = 'assets:cost-differences' then 'differences'
      else 'other'
    end as place
  from books_internal.value_totals(:'from'::timestamptz, :'to'::timestamptz, 'posted_at') t
  join own o using (entity_id)
  left join missing m using (entity_id, account, currency)
  where books_internal.is_chosen(t.entity_id, :'entity')
), step as ( -- what changed the carrying amount of the holdings
  select t.reporting, side.name, sum(side.value) as value, sum(side.unvalued) as unvalued
  from total t
  cross join lateral (
    values ('opening', case when t.is_held then t.opening end, t.unvalued - t.missing_lines), ('closing', case when t.is_held then t.closing end, t.unvalued),
      ('unvalued', t.closing - t.opening, 0), ('late', case when not t.is_held then -t.prior_period end, t.missing_late),
      ('other', case when not t.is_held then -t.rounding end, 0),
      ('in', case when t.account like 'equity:external:%' then t.credit end, t.missing_credit),
      ('out', case when t.account like 'equity:external:%' then -t.debit end, t.missing_debit),
      (case
          when t.account ~ '^(income:gains|expenses:losses):' then 'gains'
          when t.account like 'income:%' then 'rewards'
          when t.account like 'expenses:fees:%' then 'fees'
          when t.account like 'liabilities:%' then 'advances'
          when t.account = 'assets:tax-withheld' then 'tax'
          when t.account = 'equity:opening' then 'opened'
          else 'other'
        end, case when not t.is_held and t.account not like 'equity:external:%' then t.credit - t.debit end, t.missing_lines - t.missing_late)
  ) as side (name, value, unvalued)
  where side.value is not null
  group by t.reporting, side.name
), proved as ( -- up to when each list is proved
  select entity_id, min(coalesce(covered_to, 'infinity')) as to_instant from books.coverage group by entity_id, stream, scope
), seen as ( -- when each entity is priced: at the beginning and the end, or up to when it is proved
  select o.entity_id, o.reporting, point.moment, least(min(p.to_instant), point.as_of) as as_of
  from own o
  left join proved p using (entity_id)
  cross join (values ('opening', :'from'::timestamptz), ('closing', :'to'::timestamptz)) as point (moment, as_of)
  group by o.entity_id, o.reporting, point.moment, point.as_of
), rate as materialized (
  select s.as_of, r.currency, r.reporting, r.currency_units, r.reporting_units
  from (select distinct as_of from seen) as s
  cross join lateral books_internal.market_rates(s.as_of) r
), balance as ( -- the units of each account at both moments
  select point.moment, t.entity_id, t.currency, t.debit - t.credit as units, case
      when t.account like 'liabilities:%' then 'owed'
      when t.account = 'assets:trading' then 'trading'
      when t.account = 'assets:trading-bots' then 'bots'
      when t.account = 'assets:earn' then 'earn'
      when t.account like 'assets:pocket:%' then 'pockets'
      when t.account like 'assets:clearing:%' then 'in transit'
      else 'other'
    end as place
  from (values ('opening', :'from'::timestamptz), ('closing', :'to'::timestamptz)) as point (moment, as_of)
  cross join lateral books_internal.totals_counted(point.as_of, 'posted_at') t
  where (books_internal.is_holding(t.account) or t.account like 'liabilities:%') and books_internal.is_chosen(t.entity_id, :'entity')
), unit as ( -- by place
  select moment, entity_id, currency, place, sum(units) as units, place = 'owed' as is_owed
  from balance group by moment, entity_id, currency, place having sum(units) <> 0
), priced as ( -- at the market
  select u.*, s.reporting, case when u.currency = s.reporting then books_internal.cents(u.units)
      else round(u.units * r.reporting_units / r.currency_units, 2) end as market,
    sum(u.units) over asset as asset_units, r.reporting_units, r.currency_units,
    row_number() over (partition by u.moment, u.entity_id, u.currency, u.is_owed order by abs(u.units) desc, u.place) as nth
  from unit u
  join seen s using (moment, entity_id)
  left join rate r on (r.as_of, r.currency, r.reporting) = (s.as_of, u.currency, s.reporting)
  window asset as (partition by u.moment, u.entity_id, u.currency, u.is_owed)
), spread as ( -- the cents that the places of an asset leave are on the largest
  select *, case when currency = reporting then books_internal.cents(asset_units)
    else round(asset_units * reporting_units / currency_units, 2) end as asset_market,
    sum(market) over (partition by moment, entity_id, currency, is_owed) as places_market
  from priced
), place as ( -- with them
  select *, market + case when nth = 1 then asset_market - places_market else 0 end as place_market from spread
), carried as ( -- the carrying amount of each asset at both moments
  select t.reporting, t.entity_id, t.currency, point.moment, sum(point.cost) as cost, sum(t.unvalued) as unvalued
  from total t
  cross join lateral (values ('opening', t.opening), ('closing', t.closing)) as point (moment, cost)
  where t.is_held
  group by t.reporting, t.entity_id, t.currency, point.moment
), asset as ( -- units, market and carrying amount together
  select moment, entity_id, currency, coalesce(u.reporting, c.reporting) as reporting, coalesce(u.units, 0) as units, c.cost,
    case when u.units is null then 0 else u.market end as market, coalesce(c.unvalued, 0) as unvalued
  from (
    select moment, entity_id, currency, reporting, asset_units as units, asset_market as market from place where nth = 1 and not is_owed
  ) as u
  full join carried c using (moment, entity_id, currency)
  where u.units is not null or c.cost <> 0 or c.unvalued > 0
), classed as materialized (
  select distinct on (entity_id, currency) entity_id, currency, asset_class
  from books.chart_of_accounts_at(:'to'::timestamptz)
  where books_internal.is_chosen(entity_id, :'entity')
  order by entity_id, currency
)
select 'step' as what, null as moment, name, null as currency, null as asset_class, reporting as value_currency, null::numeric as units,
  trim_scale(value) as cost, null::numeric as market, null::numeric as unrealised, 0 as unpriced, unvalued
from step
union all
select 'asset', moment, null, a.currency, coalesce(k.asset_class, 'coin'), reporting, trim_scale(sum(units)), trim_scale(sum(cost)),
  trim_scale(sum(market)), trim_scale(sum(case when unvalued = 0 then market - cost end)), count(*) filter (where market is null),
  count(*) filter (where cost is null or unvalued > 0)
from asset a
left join classed k using (entity_id, currency)
group by moment, a.currency, coalesce(k.asset_class, 'coin'), reporting
union all
select 'owed', moment, null, p.currency, coalesce(k.asset_class, 'coin'), reporting, trim_scale(sum(units)), null, trim_scale(sum(market)), null,
  count(*) filter (where market is null), 0
from place p
left join classed k using (entity_id, currency)
where is_owed
group by moment, p.currency, coalesce(k.asset_class, 'coin'), reporting
union all
select 'place', moment, name, null, null, reporting, null, trim_scale(sum(cost)), trim_scale(sum(market)), null, sum(unpriced), 0
from (
  select moment, place as name, reporting, null::numeric as cost, place_market as market, (place_market is null)::integer as unpriced
  from place where not is_owed
  union all
  select point.moment, t.place, t.reporting, point.cost, null, 0
  from total t
  cross join lateral (values ('opening', t.opening), ('closing', t.closing)) as point (moment, cost)
  where t.is_held and point.cost <> 0
) as part
group by moment, name, reporting
order by what, moment, name, currency, asset_class, value_currency;
