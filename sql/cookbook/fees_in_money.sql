-- Fees in money: what was paid in fees per month and kind, in the reporting currency, and where it went in the books.
-- For: cost control, tax. Ties to: books.value_postings, accounts expenses:fees:*. in_cost is part of what assets cost, in_proceeds
-- came out of what they brought, expensed is all that the accounts themselves say: paid is the three together, each rounded once.
-- Reversed fees are taken off; unvalued counts the fees whose value is not known, which are in none of the sums.
--   psql -v timezone=Europe/Madrid -f sql/cookbook/fees_in_money.sql
with fee as (
  select entity_id, to_char(effective_at at time zone :'timezone', 'YYYY-MM') as month, split_part(account, ':', 3) as fee,
    value_currency, fee_in_cost, fee_in_proceeds, fee_expensed, coalesce(fee_in_cost, fee_in_proceeds, fee_expensed) is null as is_unvalued
  from books.value_postings
  where account like 'expenses:fees:%'
)
select entity_id, month, fee, value_currency as currency, round(coalesce(sum(fee_in_cost), 0), 2) as in_cost,
  round(coalesce(sum(fee_in_proceeds), 0), 2) as in_proceeds, round(coalesce(sum(fee_expensed), 0), 2) as expensed,
  round(coalesce(sum(fee_in_cost), 0) + coalesce(sum(fee_in_proceeds), 0) + coalesce(sum(fee_expensed), 0), 2) as paid,
  count(*) as legs, count(*) filter (where is_unvalued) as unvalued
from fee
group by entity_id, month, fee, value_currency
order by entity_id collate "C", month collate "C", fee collate "C", value_currency collate "C";
