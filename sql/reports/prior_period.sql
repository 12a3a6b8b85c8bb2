-- Prior-period adjustments: the postings of an earlier, closed month that are posted in this period.
-- For: month-end close, audit. Ties to: trial_balance, prior_period of each account and currency; restate, which shows what
-- they would change in their original period. Each entry sums to zero per currency.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/prior_period.sql
select entity_id, belongs_to, period, entry_id, effective_at, kind, stream, record_id, leg, account, across, currency,
  trim_scale(amount) as amount, description
from books_internal.moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
where is_late and books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", belongs_to collate "C", effective_at, entry_id, leg, amount desc;
