-- Valuation: the units of each asset at the period's end, what they cost, their market value, and the difference.
-- For: month-end close: the impairment or fair-value entry that the company books. Ties to: holdings, units; asset_roll_forward,
-- closing and closing_value; trial_balance, assets:* but assets:tax-withheld; open_lots. cost is the carrying amount of the
-- accounts, each to the cent, empty if one of their lines has no value (unvalued); cost - rounding_value is the same, rounded once,
-- and for the reporting currency it equals the units. An asset with a cost and no units is listed too. as_of is the end or, while that
-- is in the future, the instant to which the entity's records are proved complete. market_value uses the last rate of the 24 hours
-- before as_of, an official one first: market_source and market_at are its source and time, price_age_seconds its age at as_of and
-- unit_price its price of one unit, with 18 decimals (below 0.000001 with 36); empty without one. lower_value is the lower of cost and market, unrealised is
-- market_value - cost.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/valuation.sql
select entity_id, currency, as_of, trim_scale(units) as units, value_currency, cost, unvalued, trim_scale(unit_price) as unit_price,
  market_value, lower_value, market_value - cost as unrealised, market_source, market_at,
  floor(extract(epoch from as_of - market_at))::bigint as price_age_seconds, rounding_value
from books_internal.valued_holdings(:'from'::timestamptz, :'to'::timestamptz, :'by', :'entity')
where is_valued
order by entity_id collate "C", currency collate "C";
