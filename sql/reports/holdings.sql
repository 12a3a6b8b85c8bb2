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
with place as (
  select entity_id, currency, coalesce(sum(debit - credit) filter (where account = 'assets:trading'), 0) as trading,
    coalesce(sum(debit - credit) filter (where account = 'assets:trading-bots'), 0) as bots,
    coalesce(sum(debit - credit) filter (where account like 'assets:pocket:%'), 0) as pockets,
    coalesce(sum(debit - credit) filter (where account = 'assets:earn'), 0) as earn,
    coalesce(sum(debit - credit) filter (where account like 'assets:clearing:%'), 0) as in_transit,
    coalesce(sum(debit - credit) filter (where account = 'assets:tax-withheld'), 0) as tax_withheld
  from books_internal.totals_counted(:'to'::timestamptz, :'by')
  where account like 'assets:%' and books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, currency
)
select entity_id, currency, v.as_of, trim_scale(trading) as trading, trim_scale(bots) as bots,
  trim_scale(pockets) as pockets, trim_scale(earn) as earn, trim_scale(in_transit) as in_transit,
  trim_scale(tax_withheld) as tax_withheld, trim_scale(v.units) as units, v.value_currency, v.cost, v.unvalued, v.market_value,
  v.market_source, v.market_at, v.lower_value, v.rounding_value
from place
join books_internal.valued_holdings(:'from'::timestamptz, :'to'::timestamptz, :'by', :'entity') v using (entity_id, currency)
order by entity_id collate "C", currency collate "C";
