-- Asset below zero: an asset account with a negative balance at the end of a day (UTC), bots together with the trading wallet,
-- clearing excepted. Unusual, but not a break: funds from before the history that was read are one cause of it.
-- For: the analyst who looks for what was never booked. Severity: note.
-- What to do: look at the first such day; an opening balance (tieout open) or a record of an earlier day may be missing.
--   psql -v run=<run_id> -f sql/checks/asset_below_zero.sql
with moved as (
  select entity_id, books_internal.tied_account(account) as account, currency,
    effective_day, sum(debit - credit) as amount
  from books_internal.daily
  where account like 'assets:%' and account not like 'assets:clearing:%'
  group by 1, 2, 3, 4
), running as (
  select entity_id, account, currency, effective_day,
    sum(amount) over (partition by entity_id, account, currency order by effective_day) as balance
  from moved
), below as (
  select entity_id, account, currency, min(effective_day) as first, count(*) as days, min(balance) as lowest,
    (array_agg(effective_day order by balance, effective_day))[1] as lowest_on
  from running
  where balance < 0
  group by 1, 2, 3
)
select entity_id, account || ' ' || currency as subject, account, currency, null::numeric as reported, lowest as booked,
  null::numeric as difference,
  format('%s below zero at the end of %s on which it moved, first on %s; the lowest is %s on %s', account,
    case days when 1 then 'one day' else days || ' days' end, first, trim_scale(lowest), lowest_on) as reason
from below
where exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, account, currency
