-- Earn tie-out: the booked balance of Earn, deposits and rewards, against the reported balances of its wallets.
-- For: reconcile, and the analyst who looks into a difference on Earn. Severity: break.
-- What to do: look at the reason; an Earn movement without a rule or without a wallet transaction is the usual cause: settle
-- the reject, run extract --full for what was corrected or cancelled since, or ask the platform for what it does not list.
--   psql -v run=<run_id> -f sql/checks/earn_tie_out.sql
select entity_id, account || ' ' || currency as subject, account, currency, reported, booked, difference, reason
from books.tie_outs
where run_id = :'run'::uuid and status = 'break' and account = 'assets:earn'
order by entity_id, account, currency
