-- Tie-outs: the last comparison of reported and booked balance, for every account and currency.
-- For: month-end close, audit. Ties to: trial_balance, closing at as_of; breaks, for each difference left.
-- The gateway has no balance of the past, so these are the newest comparisons, whatever the period; as_of is their time.
-- last_run: the number of the last run whose comparisons count; all if it is empty.
--   psql -v entity= -v last_run= --csv -f sql/reports/tie_outs.sql
select entity_id, account, currency, as_of, trim_scale(reported) as reported, trim_scale(booked) as booked,
  trim_scale(difference) as difference, status, reason
from books_internal.tie_outs_by(nullif(:'last_run', '')::bigint)
where books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", account collate "C", currency collate "C";
