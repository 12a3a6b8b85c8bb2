-- Account activity: what came into and left each account that we own or owe, and how often and when it moved.
-- For: whoever thinks in pockets rather than in debits. Ties to: trial_balance, same accounts, in = debit and out = credit.
-- Amounts are debit positive, so what is owed is negative; accounts that did not move are left out.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/account_activity.sql
with total as (
  select entity_id, account, currency,
    coalesce(sum(amount) filter (where effective_at < :'from'::timestamptz), 0) as opening,
    coalesce(sum(amount) filter (where effective_at >= :'from'::timestamptz and amount > 0), 0) as came_in,
    coalesce(-sum(amount) filter (where effective_at >= :'from'::timestamptz and amount < 0), 0) as went_out,
    count(*) filter (where effective_at >= :'from'::timestamptz) as postings,
    min(effective_at) filter (where effective_at >= :'from'::timestamptz) as first_at,
    max(effective_at) as last_at
  from books.postings
  where effective_at < :'to'::timestamptz and (account like 'assets:%' or account like 'liabilities:%')
    and (:'entity' = '' or entity_id = any (string_to_array(:'entity', ',')))
  group by entity_id, account, currency
)
select entity_id, account, currency, trim_scale(opening) as opening, trim_scale(came_in) as "in",
  trim_scale(went_out) as "out", trim_scale(opening + came_in - went_out) as closing, postings, first_at, last_at
from total
where postings > 0
order by entity_id collate "C", account collate "C", currency collate "C";
