-- Trading tie-out: trading wallet and bots together, booked against balance plus blocked.
-- For: reconcile, and the analyst who looks into a difference on trading. Severity: break.
-- What to do: look at the reason; a missing or doubled movement or trade of this currency is the usual cause: run extract --full
-- for what is missing or was corrected since, settle a reject that stays, and ask the platform which of two fills it will cancel.
--   psql -v run=<run_id> -f sql/checks/trading_tie_out.sql
select entity_id, account || ' ' || currency as subject, account, currency, reported, booked, difference, reason
from books.tie_outs
where run_id = :'run'::uuid and status = 'break' and account = 'assets:trading'
order by entity_id, account, currency
