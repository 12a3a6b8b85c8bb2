-- Fees: every fee that the period booked, one row per leg, with the record that caused it.
-- For: cost control. Ties to: trial_balance, accounts expenses:fees:*. A reversed fee is a row of its own, negative; one
-- that is too late for its own month, belongs_to, is in the next open month.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/fees.sql
select entity_id, effective_at, split_part(account, ':', 3) as fee, account, currency, trim_scale(amount) as amount,
  kind, stream, record_id, entry_id, leg, belongs_to
from books_internal.moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
where account like 'expenses:fees:%' and books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", counted_at, effective_at, entry_id, leg, amount desc;
