-- Fees: every fee that the period booked, one row per leg, with the record that caused it.
-- For: cost control. Ties to: trial_balance, accounts expenses:fees:*. A reversed fee is a row of its own, negative.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/fees.sql
select entity_id, effective_at, split_part(account, ':', 3) as fee, account, currency, trim_scale(amount) as amount,
  kind, stream, record_id, entry_id, leg
from books.postings
where account like 'expenses:fees:%'
  and effective_at >= :'from'::timestamptz and effective_at < :'to'::timestamptz
  and (:'entity' = '' or entity_id = any (string_to_array(:'entity', ',')))
order by entity_id collate "C", effective_at, entry_id, leg, amount desc;
