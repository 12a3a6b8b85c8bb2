-- General ledger: every account from its opening balance, posting by posting, to its closing balance.
-- For: audit, and whoever traces a balance to its postings. Ties to: trial_balance (opening, debit, credit, closing) and
-- journal, the same postings in another order. balance runs per account and currency, debit positive; across is the other
-- account of the leg. value and balance_value are the same in value_currency, each rounded to the cent once: balance_value
-- runs over value and rounding_value. Lines that have only a value (gains, rounding) have neither debit nor credit, and unvalued
-- lines are left out of balance_value.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/general_ledger.sql
with total as ( -- of each account, numbered in order, since a number is compared faster than three names
  select entity_id, account, currency, max(n.value_currency) as value_currency,
    row_number() over (order by entity_id collate "C", account collate "C", currency collate "C") as nth,
    sum(opening) <> 0 or sum(closing) <> 0 or sum(debit) <> 0 or sum(credit) <> 0 or sum(opening_value) <> 0 or sum(closing_value) <> 0
      or sum(unvalued) <> 0 as is_used,
    sum(opening) as opening, sum(closing) as closing, sum(opening_value) as opening_value,
    sum(closing_value) as closing_value, sum(unvalued) as unvalued
  from (
    select entity_id, account, currency, debit - credit as opening, 0 as closing, -debit as debit, -credit as credit,
      null::numeric as opening_value, null::numeric as closing_value, 0 as unvalued
    from books_internal.totals_carried(:'from'::timestamptz, :'from'::timestamptz, :'by')
    union all
    select entity_id, account, currency, 0, debit - credit, debit, credit, null, null, 0
    from books_internal.totals_carried(:'to'::timestamptz, :'from'::timestamptz, :'by')
    union all
    select entity_id, account, currency, 0, 0, abs(prior_period) + debit, credit, opening, closing, unvalued
    from books_internal.value_totals(:'from'::timestamptz, :'to'::timestamptz, :'by')
  ) as part
  left join (select entity_id, currency as value_currency from books.entities) as n using (entity_id)
  where books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, account, currency
), line as (
  select nth, entity_id, account, currency, value_currency, 1 as place, opening as amount, opening_value as value,
    null::numeric as exact, null::timestamptz as counted_at, null::timestamptz as effective_at, null::uuid as entry_id,
    null::smallint as leg, null as across, null as kind, null as stream, null as record_id, null as original_period,
    null as description
  from total
  where is_used
  union all
  select t.nth, entity_id, account, currency, t.value_currency, 2, coalesce(m.amount, 0), v.value, v.exact, coalesce(m.counted_at, v.counted_at),
    coalesce(m.effective_at, v.effective_at), entry_id, leg, m.across, coalesce(m.kind, v.kind), coalesce(m.stream, v.stream),
    coalesce(m.record_id, v.record_id), coalesce(m.original_period, v.original_period), coalesce(m.description, v.rule)
  from (
    select * from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, :'by') p
    where books_internal.is_chosen(p.entity_id, :'entity')
  ) as m
  full join (
    select * from books_internal.period_value_lines(:'from'::timestamptz, :'to'::timestamptz, :'by') l
    where books_internal.is_chosen(l.entity_id, :'entity')
  ) as v using (entry_id, leg, account, currency, entity_id) -- sorted by the id first, which is compared fastest
  join total t using (entity_id, account, currency)
  where t.is_used -- not one whose only lines are values below a cent
    and (m.entry_id is not null or leg is null)
  union all
  select nth, entity_id, account, currency, value_currency, 3, 0, closing_value * 0, null, null, null, null, null, null, null, null, null, null, null
  from total
  where is_used
)
select entity_id, account, currency, case place when 1 then 'opening' when 2 then 'posting' else 'closing' end as line,
  effective_at, case when amount > 0 and place = 2 then trim_scale(amount) end as debit,
  case when amount < 0 and place = 2 then trim_scale(-amount) end as credit, trim_scale(sum(amount) over running) as balance,
  across, kind, stream, record_id, entry_id, leg, description, original_period, value_currency,
  case when place = 2 then books_internal.cents(case when value is not null then exact end) end as value,
  case when place <> 1 or value is not null then round(sum(value) over running, 2) end as balance_value,
  case when place = 2 then round(value - books_internal.cents(exact), 2) end as rounding_value
from line
window running as (
  partition by nth
  order by place, counted_at, effective_at, entry_id, leg, amount desc, description collate "C", value, exact rows unbounded preceding
)
order by nth, place, counted_at, effective_at, entry_id, leg, amount desc,
  description collate "C", line.value, exact;
