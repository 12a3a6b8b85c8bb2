-- Holdings: the units of each asset at the period's end, by where they are held.
-- For: month-end close, treasury. Ties to: asset_roll_forward, closing; trial_balance, assets:* summed per currency.
-- in_transit has left one place and not yet arrived at the other, by what is told; tax_withheld is a claim. What is owed
-- (liabilities:*) is not taken off: working_capital has it.
--   psql -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/holdings.sql
with held as (
  select entity_id, currency, account, debit - credit as units
  from books.totals_counted(:'to'::timestamptz, :'by')
  where account like 'assets:%' and (:'entity' = '' or entity_id = any (string_to_array(:'entity', ',')))
), total as (
  select entity_id, currency, coalesce(sum(units) filter (where account = 'assets:trading'), 0) as trading,
    coalesce(sum(units) filter (where account = 'assets:trading-bots'), 0) as bots,
    coalesce(sum(units) filter (where account like 'assets:pocket:%'), 0) as pockets,
    coalesce(sum(units) filter (where account = 'assets:earn'), 0) as earn,
    coalesce(sum(units) filter (where account like 'assets:clearing:%'), 0) as in_transit,
    coalesce(sum(units) filter (where account = 'assets:tax-withheld'), 0) as tax_withheld,
    sum(units) as units, bool_or(units <> 0) as is_held
  from held
  group by entity_id, currency
)
select entity_id, currency, :'to'::timestamptz as as_of, trim_scale(trading) as trading, trim_scale(bots) as bots,
  trim_scale(pockets) as pockets, trim_scale(earn) as earn, trim_scale(in_transit) as in_transit,
  trim_scale(tax_withheld) as tax_withheld, trim_scale(units) as units
from total
where is_held
order by entity_id collate "C", currency collate "C";
