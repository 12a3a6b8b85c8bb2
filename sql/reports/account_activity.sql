-- Account activity: inflows and outflows of each asset and liability account, their number, and the first and last time.
-- For: whoever thinks in pockets rather than in debits. Ties to: trial_balance, same accounts, in = debit and out = credit.
-- Amounts are debit positive, so liabilities are negative; accounts without postings are left out. prior_period is what
-- arrived too late for its own period; the postings and times are those of the period itself.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/account_activity.sql
with part as (
  select entity_id, account, currency, debit - credit as opening, 0 as amount, null::timestamptz as effective_at, null::boolean as is_late
  from books_internal.totals_counted(:'from'::timestamptz, :'by')
  union all
  select entity_id, account, currency, 0, amount, effective_at, is_late
  from books_internal.moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
), total as (
  select entity_id, account, currency, sum(opening) as opening, coalesce(sum(amount) filter (where is_late), 0) as prior_period,
    coalesce(sum(amount) filter (where not is_late and amount > 0), 0) as came_in,
    coalesce(-sum(amount) filter (where not is_late and amount < 0), 0) as went_out,
    count(*) filter (where not is_late) as postings, count(*) filter (where is_late) as late,
    min(effective_at) filter (where not is_late) as first_at, max(effective_at) filter (where not is_late) as last_at
  from part
  where (account like 'assets:%' or account like 'liabilities:%') and books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, account, currency
)
select entity_id, account, currency, trim_scale(opening) as opening, trim_scale(came_in) as "in",
  trim_scale(went_out) as "out", trim_scale(opening + prior_period + came_in - went_out) as closing, postings, first_at,
  last_at, trim_scale(prior_period) as prior_period
from total
where postings > 0 or late > 0
order by entity_id collate "C", account collate "C", currency collate "C";
