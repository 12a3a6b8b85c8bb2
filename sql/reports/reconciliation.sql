-- Reconciliation statement: from the reported balance of each account to its booked balance at the period's end, item by
-- item, to zero.
-- For: month-end close, audit. Ties to: closing_balances, of which it is the long form; trial_balance, closing; breaks, by
-- break_id. It starts with the reported balance (for a clearing account, the sum that its pairs leave in transit), takes back
-- later records and later differences, then deducts the booked balance, then the difference that is left; if no balance was
-- read after the period, the whole booked balance is left. remaining runs to zero on the last line, as checks.csv shows.
-- equity:external:bank (with cards) and equity:external:blockchain, in each currency with statements of an own account: from what the
-- statements state, by what only one side has, to what is booked outside the platform. lines counts the lines of an item, and on a
-- booked line those that match. Later records are listed one by one, or together if the balance was read a month or more after the end:
-- the journal.csv of the months between lists them.
--   psql -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/reconciliation.sql
with account as (
  select * from books_internal.closing_balances_of(:'to'::timestamptz, :'entity')
  where books_internal.is_chosen(entity_id, :'entity')
), near as materialized ( -- the records since are counted only if the balance was read within a month
  select * from account where records_after is not null
), item as ( -- one by one, or together where a month or more lies between the end and the reading
  select n.entity_id, n.account, n.currency, m.stream, m.record_id, min(m.effective_at) as occurred_at, sum(m.amount) as amount
  from near n
  join books_internal.postings_since_cutoff(:'to'::timestamptz, (select max(read_at) from near)) m using (entity_id, account, currency)
  where m.effective_at < n.read_at
  group by n.entity_id, n.account, n.currency, m.stream, m.record_id
  union all
  select entity_id, account, currency, null, null, null, moved_after from account where records_after is null and moved_after <> 0
), line as (
  select entity_id, account, currency, 1 as place,
    case when read_at is not null then 'reported' when account like 'assets:clearing:%' then 'matched' else 'not read' end as item,
    read_at as occurred_at, null as stream, null as record_id,
    case when account like 'assets:clearing:%' then rolled_back else coalesce(reported, 0) end as amount, status
  from account
  union all
  select entity_id, account, currency, 2, 'moved after', occurred_at, stream, record_id, -amount, null from item
  union all
  select entity_id, account, currency, 3, 'diverged later', null, null, null, -diverged_later, null from account
  where diverged_later <> 0
  union all
  select entity_id, account, currency, 4, 'booked', :'to'::timestamptz, null, null, -booked, null from account
  union all
  select entity_id, account, currency, 5, 'left', null, null, null, coalesce(-difference, booked), status
  from account
), across as (
  select e.* from books_internal.external_reconciliation(:'to'::timestamptz) e
  where books_internal.is_chosen(e.entity_id, :'entity')
), item_line as (
  select l.*, null as check_name, null as subject, null as own_account, null::bigint as lines, l.place = 5 as is_last from line l
  union all
  select entity_id, account, currency, place, item, occurred_at, stream, record_id, amount, status, check_name, subject, own_account, lines,
    false
  from across
  union all
  select entity_id, account, currency, 14, 'left', null, null, null, 0, case when bool_or(status = 'break') then 'break' else 'tied' end,
    null, null, null, null, true
  from across
  group by entity_id, account, currency
)
select l.entity_id, l.account, l.currency, l.item, l.occurred_at as "at", l.stream, l.record_id, trim_scale(l.amount) as amount,
  trim_scale(sum(l.amount) over running) as remaining, l.status, b.break_id,
  l.own_account, l.lines
from item_line l
left join lateral (
  select found.break_id
  from (
    select b.break_id
    from books.breaks b
    where l.is_last and l.amount <> 0 and b.status <> 'resolved'
      and (b.entity_id, b.account, b.currency) = (l.entity_id, l.account, l.currency)
    union all
    select b.break_id
    from books.breaks b
    where l.status = 'break' and b.status <> 'resolved' and (b.entity_id, b.check_name, b.subject) = (l.entity_id, l.check_name, l.subject)
  ) as found
  order by found.break_id collate "C"
  limit 1
) as b on true
window running as (
  partition by l.entity_id collate "C", l.account collate "C", l.currency collate "C"
  order by l.place, l.occurred_at, l.stream collate "C", l.record_id collate "C", l.own_account collate "C", l.amount rows unbounded preceding
)
order by l.entity_id collate "C", l.account collate "C", l.currency collate "C", l.place, l.occurred_at, l.stream collate "C",
  l.record_id collate "C", l.own_account collate "C", l.amount;
