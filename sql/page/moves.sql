-- Moves: per currency and day (or month) of a period, what was posted: assets less liabilities as one line, every other
-- account as its own. No day means before the period, as a balance. A reversal counts as negative on the side of the entry that it
-- reverses, so that in and out are the actual flows.
-- For: the charts of the report page. Ties to: trial_balance.csv, closing of the same accounts; every currency sums to zero.
-- A million postings are summed before any lookup of a name or a calendar day, which costs most per row: each leg once, by its debit side.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v timezone=UTC -v unit=day -v entity= -f sql/page/moves.sql
with unit as (
  select array_agg(books_internal.local_start(day, :'timezone') order by day) as starts, array_agg(day::date order by day) as days
  from generate_series(date_trunc(:'unit', :'from'::timestamptz at time zone :'timezone'),
    (:'to'::timestamptz at time zone :'timezone') - interval '1 microsecond', ('1 ' || :'unit')::interval) as day
), leg as (
  select currency, account, across, width_bucket(counted_at, (select starts from unit)) as nth, is_undone, sum(amount) as amount, count(*) as legs
  from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, 'posted_at')
  where amount > 0 and books_internal.is_chosen(entity_id, :'entity')
  group by 1, 2, 3, 4, 5
), summed as (
  select l.currency, side.account, l.nth, l.is_undone as is_reversal, side.amount > 0 as is_debit, side.amount, l.legs as postings
  from leg l
  cross join lateral (values (l.account, l.amount), (l.across, -l.amount)) as side (account, amount)
  union all
  select currency, account, null, false, debit >= credit, sum(debit - credit), 0
  from books_internal.totals_counted(:'from'::timestamptz, 'posted_at')
  where books_internal.is_chosen(entity_id, :'entity')
  group by 1, 2, 5
)
select currency, line, day, trim_scale(coalesce(sum(amount) filter (where is_debit <> is_reversal), 0)) as debit,
  trim_scale(coalesce(-sum(amount) filter (where is_debit = is_reversal), 0)) as credit, sum(postings) as postings
from (
  select s.*, u.days[s.nth] as day,
    case when books_internal.is_holding(s.account) or s.account like 'liabilities:%' then 'held' else s.account end as line
  from summed s
  cross join unit u
) as placed
group by currency, line, day
order by currency collate "C", line collate "C", day nulls first;
