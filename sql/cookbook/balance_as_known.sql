-- Balance as known: the balance of each account before as_of, as the books knew it at known_at and as they know it today.
-- For: month-end close, audit; changed = what was recorded since then about the time before as_of. Ties to: trial_balance
-- to as_of, whose closing is known_now; records of known_at itself count as known.
--   psql -v as_of=2026-11-01T00:00:00Z -v known_at=2026-11-03T00:00:00Z -f sql/cookbook/balance_as_known.sql
select entity_id, account, currency, coalesce(k.balance, 0) as known_then, coalesce(n.balance, 0) as known_now,
  trim_scale(coalesce(n.balance, 0) - coalesce(k.balance, 0)) as changed
from books.balances_known_at(:'as_of', :'known_at') k
full join books.balances_at(:'as_of') n using (entity_id, account, currency)
order by entity_id collate "C", account collate "C", currency collate "C";
