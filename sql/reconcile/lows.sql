-- Lows: the days of asset accounts that lie a month or more before the last one, in short, once another month of them has passed.
-- For: reconcile, which stores them after the checks, so that the next nights read only what follows.
-- Ties to: books_internal.asset_lows, which needs none of it.
--   psql -v entities='{main}' -f sql/reconcile/lows.sql
select entity_id, account, currency, max(effective_day) as through_day, max(debit) as debit, max(credit) as credit,
  coalesce(max(days_below), 0) + count(*) filter (where balance < 0) as days_below,
  least(min(first_below), min(effective_day) filter (where balance < 0)) as first_below,
  least(min(lowest), min(balance) filter (where balance < 0)) as lowest,
  case
    when min(lowest) <= coalesce(min(balance) filter (where balance < 0), min(lowest)) then min(lowest_on)
    else (array_agg(effective_day order by balance, effective_day) filter (where balance < 0))[1]
  end as lowest_on
from (
  select *, debit - credit as balance, max(effective_day) over (partition by entity_id, account, currency) - 31 as until
  from books_internal.asset_days
  where entity_id = any (:'entities'::text[])
) as day
where effective_day <= until and (through_day is null or until > through_day + 31)
group by entity_id, account, currency;
