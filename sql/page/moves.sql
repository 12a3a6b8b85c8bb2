-- Moves: per currency and day (or month) of a period, what was posted: what is held, assets and liabilities together, as one
-- line, every other account as its own. No day means before the period. A reversal takes back what it undoes: it counts
-- against the side that it came from, so that in and out are what really moved.
-- For: the charts of the report page. Ties to: trial_balance.csv, closing of the same accounts; every currency sums to zero.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v timezone=UTC -v unit=day -v entity= -f sql/page/moves.sql
with placed as (
  select currency, case when account like 'assets:%' or account like 'liabilities:%' then 'held' else account end as line,
    case when posted_at >= :'from'::timestamptz then date_trunc(:'unit', posted_at at time zone :'timezone')::date end as day,
    amount, kind = 'reversal' as is_reversal
  from books.postings
  where posted_at < :'to'::timestamptz and (:'entity' = '' or entity_id = any (string_to_array(:'entity', ',')))
)
select currency, line, day, trim_scale(coalesce(sum(amount) filter (where (amount > 0) <> is_reversal), 0)) as debit,
  trim_scale(coalesce(-sum(amount) filter (where (amount < 0) <> is_reversal), 0)) as credit, count(*) as postings
from placed
group by currency, line, day
order by currency collate "C", line collate "C", day nulls first;
