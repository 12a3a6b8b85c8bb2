-- Pocket tie-out: each pocket, booked against balance plus blocked plus blocked output.
-- For: reconcile, and the analyst who looks into a difference on a pocket. Severity: break.
-- What to do: look at the reason; a wallet transaction of this pocket that was rejected, changed or never listed is the usual
-- cause: settle the reject, run extract --full, or ask the platform for what it does not list. What was booked while its pocket was
-- not in the list of pockets is booked again by normalize --restate.
--   psql -v run=<run_id> -f sql/checks/pocket_tie_out.sql
select entity_id, account || ' ' || currency as subject, account, currency, reported, booked, difference, reason
from books.tie_outs
where run_id = :'run'::uuid and status = 'break' and account like 'assets:pocket:%'
order by entity_id, account, currency
