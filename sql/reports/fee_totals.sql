-- Fee totals: fees paid per month, kind of fee and currency, to compare with the platform's invoice.
-- For: cost control, accounts payable. Ties to: fees.csv, summed, to the last digit; trial_balance, accounts expenses:fees:*, debit -
-- credit + prior_period, and expensed + rounding_value for closing_value - opening_value, to the cent; the platform's invoice of the
-- month. A reversed fee is deducted; prior_period is the part of a closed earlier month that is posted in this period; legs counts both.
-- In value_currency, exact as in fees.csv: in_cost is part of the cost of what was bought, in_proceeds was deducted from proceeds,
-- expensed is an expense, and paid_value is all three; unvalued of the legs have no value and are in none. rounding_value is what the
-- account carries, in cents, less expensed. traded_value, to the cent, is the value of the exchanges that bore the fee, and
-- effective_rate is what they paid in percent of it, rounded to 4 decimals: fees of payments are in paid_value alone.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/fee_totals.sql
with fee as (
  select m.entity_id, m.entry_id, case when books_internal.is_restated(m.entity_id, m.original_period, :'by') then m.original_period else m.period end as month,
    m.account, m.currency, m.amount, m.is_late, m.is_undone, v.value_currency, v.fee_in_cost, v.fee_in_proceeds, v.fee_expensed, v.fee, v.value - v.exact as rounding
  from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, :'by') m
  left join books_internal.value_lines v using (entity_id, entry_id, leg, account)
  where m.account like 'expenses:fees:%' and books_internal.is_chosen(m.entity_id, :'entity')
), bearer as (
  select entity_id, entry_id, month, account, currency, is_undone, sum(fee) as fee from fee group by 1, 2, 3, 4, 5, 6
), traded as ( -- the two sides of an exchange have the same value
  select b.entity_id, b.month, b.account, b.currency, sum(exchange.value * case when b.is_undone then -1 else 1 end) as value,
    sum(b.fee) filter (where exchange.value is not null) as fee
  from bearer b
  cross join lateral (
    select sum(v.exact) as value
    from books_internal.value_lines v
    where (v.entity_id, v.entry_id) = (b.entity_id, b.entry_id) and v.account = 'equity:conversion' and v.exact > 0
  ) as exchange
  group by b.entity_id, b.month, b.account, b.currency
), total as (
  select entity_id, month, account, currency, coalesce(sum(amount) filter (where amount > 0 and not is_late), 0) as charged,
    coalesce(-sum(amount) filter (where amount < 0 and not is_late), 0) as taken_back,
    coalesce(sum(amount) filter (where is_late), 0) as prior_period, sum(amount) as paid, count(*) as legs, max(value_currency) as value_currency,
    coalesce(sum(fee_in_cost), 0) as in_cost, coalesce(sum(fee_in_proceeds), 0) as in_proceeds, coalesce(sum(fee_expensed), 0) as expensed,
    coalesce(sum(fee), 0) as paid_value, coalesce(sum(rounding), 0) as rounding_value, count(*) filter (where fee is null) as unvalued
  from fee
  group by entity_id, month, account, currency
)
select entity_id, month, split_part(account, ':', 3) as fee, account, currency, trim_scale(t.charged) as charged,
  trim_scale(t.taken_back) as taken_back, trim_scale(t.prior_period) as prior_period, trim_scale(t.paid) as paid, t.legs, t.value_currency,
  trim_scale(t.in_cost) as in_cost, trim_scale(t.in_proceeds) as in_proceeds, trim_scale(t.expensed) as expensed,
  trim_scale(t.paid_value) as paid_value, t.unvalued,
  round(books_internal.cents(x.value), 2) as traded_value, round(100 * x.fee / nullif(x.value, 0), 4) as effective_rate,
  trim_scale(t.rounding_value) as rounding_value
from total t
left join traded x using (entity_id, month, account, currency)
order by entity_id collate "C", month collate "C", account collate "C", currency collate "C";
