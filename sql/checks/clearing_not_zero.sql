-- Clearing not zero: moves between pockets and trading or Earn that one stream shows and the other does not.
-- For: reconcile, and anybody who asks what is still in transit. Severity: break.
-- What to do: look up each move that the reason names on the platform, from both sides; a side that is not listed there
-- never happened or was rejected, and a side that is listed there and not here asks for extract --full.
--   psql -v run=<run_id> -f sql/checks/clearing_not_zero.sql
select entity_id, account || ' ' || currency as subject, account, currency, reported, booked, difference, reason
from books.tie_outs
where run_id = :'run'::uuid and status = 'break' and account like 'assets:clearing:%'
order by entity_id, account, currency
