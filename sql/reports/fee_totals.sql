-- Fee totals: fees paid per month, kind of fee and currency, to compare with the platform's invoice.
-- For: cost control, accounts payable. Ties to: fees.csv, summed; trial_balance, accounts expenses:fees:*, debit - credit +
-- prior_period; the platform's invoice of the month. A reversed fee is deducted; prior_period is the part of a closed earlier
-- month that is posted in this period; legs counts both.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/fee_totals.sql
with fee as (
  select entity_id, case when belongs_to = :'by' then belongs_to else period end as month, account, currency, amount, is_late,
    record_id, stream
  from books_internal.moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where account like 'expenses:fees:%' and books_internal.is_chosen(entity_id, :'entity')
)
select entity_id, month, split_part(account, ':', 3) as fee, account, currency,
  trim_scale(coalesce(sum(amount) filter (where amount > 0 and not is_late), 0)) as charged,
  trim_scale(coalesce(-sum(amount) filter (where amount < 0 and not is_late), 0)) as taken_back,
  trim_scale(coalesce(sum(amount) filter (where is_late), 0)) as prior_period, trim_scale(sum(amount)) as paid,
  count(*) as legs
from fee
group by entity_id, month, account, currency
order by entity_id collate "C", month collate "C", account collate "C", currency collate "C";
