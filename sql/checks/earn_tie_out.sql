-- Earn tie-out: what was put into Earn and earned there, booked against the balances of its wallets.
-- For: reconcile, and anybody who asks why Earn does not agree. Severity: break.
-- What to do: look at the reason; an Earn movement without a rule or without a wallet transaction is the usual cause: settle
-- the reject, or ask the platform for what it does not list.
--   psql -v run=<run_id> -f sql/checks/earn_tie_out.sql
select entity_id, account || ' ' || currency as subject, account, currency, reported, booked, difference, reason
from books.tie_outs
where run_id = :'run'::uuid and status = 'break' and account = 'assets:earn'
order by entity_id, account, currency
