-- Prior-period adjustments: the postings of an earlier, closed month that are posted in this period.
-- For: month-end close, audit. Ties to: trial_balance, prior_period of each account and currency, and prior_period_value, which is the sum
-- of value, rounded once; restate, which shows what they would change in their original period. Each entry sums to zero per currency.
-- value is exact, in value_currency, empty without a value; rounding_value is what the posting carries in cents less value, so that
-- both together are its cents in general_ledger and sum to zero per entry. Lines that have only a value (gains, rounding) have no amount.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/prior_period.sql
with late as materialized (
  select *
  from books_internal.late_within(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where effective_at < :'from'::timestamptz and books_internal.is_chosen(entity_id, :'entity')
), line as (
  select e.*, t.leg, side.account, side.across, t.currency, side.amount, v.value, v.exact, v.value_currency
  from late e
  join books.transfers t using (entity_id, entry_id)
  cross join lateral (values (t.debit, t.credit, t.amount), (t.credit, t.debit, -t.amount)) as side (account, across, amount)
  left join books_internal.value_lines v on (v.entity_id, v.entry_id, v.leg, v.account) = (e.entity_id, e.entry_id, t.leg, side.account)
  union all
  select e.*, null, v.account, null, v.currency, null, v.value, case when v.account = 'expenses:rounding' then v.value else v.exact end, v.value_currency
  from late e
  join books_internal.value_lines v using (entity_id, entry_id)
  where v.leg is null
)
select entity_id, original_period, period, entry_id, effective_at, kind, stream, record_id, leg, account, across, currency,
  trim_scale(amount) as amount, description, value_currency, trim_scale(exact) as value, trim_scale(value - exact) as rounding_value
from line
order by entity_id collate "C", original_period collate "C", effective_at, entry_id, leg, amount desc, account collate "C", currency collate "C", exact;
