-- Balances: the balance of every account, without zeros.
-- For: verify ledger, which compares them with what other programs compute from the journal. Ties to: books.balances.
--   psql -f sql/export/balances.sql
select entity_id, account, currency, balance
from books.balances
order by entity_id collate "C", account collate "C", currency collate "C";
