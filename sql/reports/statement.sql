-- Statement: inflows and outflows of each asset and liability account, one line per entry, with the running balance.
-- For: whoever compares it with the platform's own statement of the account. Ties to: trial_balance, opening and closing of
-- assets:* and liabilities:*. Amounts are unsigned and fees separate: balance = previous balance + in - out -
-- fee; it is debit positive, so liabilities are negative.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/statement.sql
with total as ( -- of each account, numbered in order, since a number is compared faster than three names
  select entity_id, account, currency, row_number() over (order by entity_id collate "C", account collate "C", currency collate "C") as nth,
    sum(opening) <> 0 or sum(closing) <> 0 or sum(debit) <> 0 or sum(credit) <> 0 as is_used, sum(opening) as opening
  from (
    select entity_id, account, currency, debit - credit as opening, 0 as closing, -debit as debit, -credit as credit
    from books_internal.totals_counted(:'from'::timestamptz, :'by')
    union all
    select entity_id, account, currency, 0, debit - credit, debit, credit
    from books_internal.totals_counted(:'to'::timestamptz, :'by')
  ) as part
  where (account like 'assets:%' or account like 'liabilities:%') and books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, account, currency
), line as (
  select nth, entity_id, account, currency, 1 as place, opening as amount, 0::numeric as fee,
    null::timestamptz as counted_at, null::timestamptz as effective_at, null::uuid as entry_id, null as kind, null as stream,
    null as record_id, null as description, null as original_period
  from total
  where is_used
  union all
  select t.nth, m.* from (
    select entity_id, account, currency, 2 as place, coalesce(sum(amount) filter (where across not like 'expenses:fees:%'), 0),
      coalesce(-sum(amount) filter (where across like 'expenses:fees:%'), 0), counted_at, effective_at, entry_id, kind, stream,
      record_id, description, original_period
    from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, :'by')
    where (account like 'assets:%' or account like 'liabilities:%') and books_internal.is_chosen(entity_id, :'entity')
    group by entity_id, account, currency, counted_at, effective_at, entry_id, kind, stream, record_id, description, original_period
  ) as m
  join total t using (entity_id, account, currency)
  union all
  select nth, entity_id, account, currency, 3, 0, 0, null, null, null, null, null, null, null, null
  from total
  where is_used
)
select entity_id, account, currency, case place when 1 then 'opening' when 2 then 'entry' else 'closing' end as line,
  effective_at, description, case when place = 2 then trim_scale(greatest(amount, 0)) end as "in",
  case when place = 2 then trim_scale(greatest(-amount, 0)) end as "out", case when place = 2 then trim_scale(fee) end as fee,
  trim_scale(sum(amount - fee) over running) as balance, kind, stream, record_id, entry_id, original_period
from line
window running as (
  partition by nth
  order by place, counted_at, effective_at, entry_id rows unbounded preceding
)
order by nth, place, counted_at, effective_at, entry_id;
