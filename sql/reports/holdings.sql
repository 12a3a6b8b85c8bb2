-- Holdings: the units of each asset at the period's end, by place, with their cost and market value.
-- For: month-end close, treasury. Ties to: asset_roll_forward, closing and closing_value; trial_balance, assets:* but
-- assets:tax-withheld; valuation, by its money. in_transit has left one place and not arrived at the other, by the records. tax_withheld is a
-- receivable, in no other column. Liabilities (liabilities:*) are not deducted: working_capital has them. cost is the carrying
-- amount of the accounts, each to the cent, empty if one of their lines has no value (unvalued); cost - rounding_value is the
-- same, rounded once, and for the reporting currency it equals the units. An asset with a cost and no units is listed too.
-- as_of is the end or, while that is in the future, the instant to which the entity's records are proved complete. market_value
-- uses the last rate of the 24 hours before as_of, an official one first: market_source and market_at are its source and time;
-- empty without one. lower_value is the lower of cost and market.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/holdings.sql
with asset as (
  select entity_id, currency, account, debit - credit as units
  from books_internal.totals_counted(:'to'::timestamptz, :'by')
  where account like 'assets:%' and books_internal.is_chosen(entity_id, :'entity')
), unit as (
  select entity_id, currency, coalesce(sum(units) filter (where account = 'assets:trading'), 0) as trading,
    coalesce(sum(units) filter (where account = 'assets:trading-bots'), 0) as bots,
    coalesce(sum(units) filter (where account like 'assets:pocket:%'), 0) as pockets,
    coalesce(sum(units) filter (where account = 'assets:earn'), 0) as earn,
    coalesce(sum(units) filter (where account like 'assets:clearing:%'), 0) as in_transit,
    coalesce(sum(units) filter (where account = 'assets:tax-withheld'), 0) as tax_withheld,
    coalesce(sum(units) filter (where books_internal.is_holding(account)), 0) as units,
    bool_or(units <> 0) as is_held
  from asset
  group by entity_id, currency
), cost as (
  select entity_id, currency, sum(closing) as carried, sum(unvalued)::bigint as unvalued, books_internal.cents(sum(exact)) as exact
  from books_internal.value_totals(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where books_internal.is_holding(account) and books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, currency
), proved as (
  select entity_id, min(coalesce(covered_to, 'infinity')) as to_instant
  from books.coverage
  group by entity_id, stream, scope
), seen as (
  select n.entity_id, n.currency as value_currency, least(min(p.to_instant), :'to'::timestamptz) as as_of
  from books.entities n
  left join proved p using (entity_id)
  group by n.entity_id, n.currency
), rate as materialized (
  select s.as_of, r.*
  from (select distinct as_of from seen) as s
  cross join lateral books_internal.market_rates(s.as_of) r
), priced as (
  select u.*, n.value_currency, n.as_of, c.unvalued, case when c.unvalued = 0 then round(c.carried, 2) end as cost,
    case when c.unvalued = 0 then round(c.carried - c.exact, 2) end as rounding_value,
    case when u.currency = n.value_currency then books_internal.cents(u.units) else round(u.units * r.reporting_units / r.currency_units, 2) end
      as market_value,
    r.record_id as market_source, r.applies_from as market_at
  from unit u
  left join seen n using (entity_id)
  left join cost c using (entity_id, currency)
  left join rate r on (r.as_of, r.currency, r.reporting) = (n.as_of, u.currency, n.value_currency)
    and u.currency <> n.value_currency
  where u.is_held or c.carried <> 0
)
select entity_id, currency, as_of, trim_scale(trading) as trading, trim_scale(bots) as bots,
  trim_scale(pockets) as pockets, trim_scale(earn) as earn, trim_scale(in_transit) as in_transit,
  trim_scale(tax_withheld) as tax_withheld, trim_scale(units) as units, value_currency, cost, unvalued, market_value,
  market_source, market_at, case when cost is not null and market_value is not null then least(cost, market_value) end
    as lower_value, rounding_value
from priced
order by entity_id collate "C", currency collate "C";
