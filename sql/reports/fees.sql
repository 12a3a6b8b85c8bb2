-- Fees: every fee that the period booked, one row per leg, with the record that caused it.
-- For: cost control. Ties to: fee_totals, figure by figure; trial_balance, accounts expenses:fees:*, amount, and expensed +
-- rounding_value, which sum to closing_value - opening_value to the cent. A reversed fee is a row of its own, negative; one that is too
-- late for its own month, original_period, is in the next open month. The columns in value_currency are exact: a fee is part of the cost of
-- what was bought (in_cost), was deducted from the proceeds of what was sold (in_proceeds) or is an expense (expensed); paid_value is
-- whichever it is, empty without a value. rounding_value is what the account carries for an expense, in cents, less expensed.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/fees.sql
select m.entity_id, m.effective_at, split_part(m.account, ':', 3) as fee, m.account, m.currency, trim_scale(m.amount) as amount,
  m.kind, m.stream, m.record_id, m.entry_id, m.leg, m.original_period, v.value_currency, trim_scale(v.fee_in_cost) as in_cost,
  trim_scale(v.fee_in_proceeds) as in_proceeds, trim_scale(v.fee_expensed) as expensed, trim_scale(v.fee) as paid_value,
  trim_scale(v.value - v.exact) as rounding_value
from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, :'by') m
left join books_internal.value_lines v using (entity_id, entry_id, leg, account)
where m.account like 'expenses:fees:%' and books_internal.is_chosen(m.entity_id, :'entity')
order by m.entity_id collate "C", m.counted_at, m.effective_at, m.entry_id, m.leg, m.amount desc;
