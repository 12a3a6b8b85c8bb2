-- Fees in money: what was paid in the period for each kind of fee, in the reporting currency: in_cost became part of the cost of
-- assets, in_proceeds was deducted from proceeds, expensed is what the fee accounts carry. Each is an exact sum, rounded once for each
-- set of books, which has rows of its own: a page over several adds up what a closed one has in its seal and the others have here.
-- unvalued counts the fees without a value, which are in none of them. volume is what the trades exchanged, with or without a fee;
-- it stands with the kind trading, and no other kind has one. It is empty if no trade has a value.
-- For: the report page. Ties to: books.fees_by_month; expensed to trial_balance, accounts expenses:fees:*; volume to conversions.csv,
-- value of the trades.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/page/fee_values.sql
with line as ( -- the fees, and a side of each trade: both sides of an exchange have the same value
  select v.entity_id, v.value_currency, v.fee_in_cost, v.fee_in_proceeds, v.fee_expensed, side.is_fee,
    case when side.is_fee then split_part(v.account, ':', 3) else 'trading' end as fee,
    case when side.is_fee then null when v.kind = 'reversal' then -v.exact else v.exact end as volume
  from books_internal.value_lines_within(:'from'::timestamptz, :'to'::timestamptz, 'posted_at') v
  cross join lateral (values (v.account like 'expenses:fees:%')) as side (is_fee)
  where (side.is_fee or v.account = 'equity:conversion' and coalesce(v.exact, v.units) > 0 and v.stream = 'trades') and books_internal.is_chosen(v.entity_id, :'entity')
)
select fee, value_currency, trim_scale(books_internal.cents(coalesce(sum(fee_in_cost), 0))) as in_cost,
  trim_scale(books_internal.cents(coalesce(sum(fee_in_proceeds), 0))) as in_proceeds, trim_scale(books_internal.cents(coalesce(sum(fee_expensed), 0))) as expensed,
  count(*) filter (where is_fee) as fees, count(*) filter (where is_fee and coalesce(fee_in_cost, fee_in_proceeds, fee_expensed) is null) as unvalued,
  trim_scale(books_internal.cents(case when bool_or(not is_fee) then sum(volume) else 0 end)) as volume
from line
group by entity_id, 1, 2
order by 1, 2, entity_id collate "C";
