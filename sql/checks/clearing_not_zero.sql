-- Clearing not zero: transfers between pockets and trading or Earn that one stream has and the other lacks.
-- For: reconcile, and the analyst who looks for what is still in transit. Severity: break.
-- What to do: look up each transfer in the reason on the platform, from both sides; a side that is not listed there
-- never happened or was rejected; for a side that is listed there and missing here, run extract --full.
--   psql -v run=<run_id> -f sql/checks/clearing_not_zero.sql
select entity_id, account || ' ' || currency as subject, account, currency, reported, booked, difference, reason
from books.tie_outs
where run_id = :'run'::uuid and status = 'break' and account like 'assets:clearing:%'
order by entity_id, account, currency
