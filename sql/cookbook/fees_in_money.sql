-- Fees in money: fees per month in which they were paid, and kind, in the reporting currency, and how they were booked. The same sums per
-- month of the books, where a fee that arrived after the close of its month counts later, are books.fees_by_month.
-- For: cost control, tax. Ties to: books.value_postings, accounts expenses:fees:*. in_cost is part of the cost of assets,
-- in_proceeds was deducted from proceeds, expensed is what the accounts themselves carry: paid is the sum of the three, each
-- rounded once. Reversed fees are deducted; unvalued counts the fees without a value, which are in none of the sums.
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
