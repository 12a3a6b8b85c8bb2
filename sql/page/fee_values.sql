-- Fees in money: what was paid in the period for each kind of fee, in the reporting currency: in_cost became part of the cost of
-- assets, in_proceeds was deducted from proceeds, expensed is what the fee accounts carry. Each is an exact sum, rounded once for each
-- set of books, which has rows of its own: a page over several adds up what a closed one has in its seal and the others have here.
-- unvalued counts the fees without a value, which are in none of them.
-- For: the report page. Ties to: books.fees_by_month; expensed to trial_balance, accounts expenses:fees:*.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/page/fee_values.sql
select split_part(v.account, ':', 3) as fee, v.value_currency, trim_scale(books_internal.cents(coalesce(sum(v.fee_in_cost), 0))) as in_cost,
  trim_scale(books_internal.cents(coalesce(sum(v.fee_in_proceeds), 0))) as in_proceeds, trim_scale(books_internal.cents(coalesce(sum(v.fee_expensed), 0))) as expensed,
  count(*) as fees, count(*) filter (where coalesce(v.fee_in_cost, v.fee_in_proceeds, v.fee_expensed) is null) as unvalued
from books_internal.value_lines_within(:'from'::timestamptz, :'to'::timestamptz, 'posted_at') v
where v.account like 'expenses:fees:%' and books_internal.is_chosen(entity_id, :'entity')
group by v.entity_id, 1, 2
order by 1, 2, v.entity_id collate "C";
