-- Holdings: the units of each asset at the period's end, by place.
-- For: month-end close, treasury. Ties to: asset_roll_forward, closing; trial_balance, assets:* but assets:tax-withheld; valuation,
-- which has the cost and market value of the same units. in_transit has left one place and not arrived at the other, by the
-- records. tax_withheld is a receivable, in no other column. Liabilities (liabilities:*) are not deducted: working_capital has
-- them.
--   psql -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/holdings.sql
with asset as (
  select entity_id, currency, account, debit - credit as units
  from books_internal.totals_counted(:'to'::timestamptz, :'by')
  where account like 'assets:%' and books_internal.is_chosen(entity_id, :'entity')
)
select entity_id, currency, trim_scale(coalesce(sum(units) filter (where account = 'assets:trading'), 0)) as trading,
  trim_scale(coalesce(sum(units) filter (where account = 'assets:trading-bots'), 0)) as bots,
  trim_scale(coalesce(sum(units) filter (where account like 'assets:pocket:%'), 0)) as pockets,
  trim_scale(coalesce(sum(units) filter (where account = 'assets:earn'), 0)) as earn,
  trim_scale(coalesce(sum(units) filter (where account like 'assets:clearing:%'), 0)) as in_transit,
  trim_scale(coalesce(sum(units) filter (where account = 'assets:tax-withheld'), 0)) as tax_withheld,
  trim_scale(coalesce(sum(units) filter (where books_internal.is_holding(account)), 0)) as units
from asset
group by entity_id, currency
having bool_or(units <> 0)
order by entity_id collate "C", currency collate "C";
