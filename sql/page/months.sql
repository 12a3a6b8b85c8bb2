-- Months: for each of the last twelve whole months up to the period's end, what was realised in it, and the cost, the market
-- value and the unrealised gain at its end, in the reporting currency, over the chosen entities. A month that begins after all
-- that was read is left out. Rates are those of valuation at that end; unrealised counts the assets whose cost and market value
-- are both known, unpriced the others without a rate. A sum of which nothing is known is empty.
-- For: the report page. Ties to: trial_balance of each month, credit_value less debit_value and prior_period_value of income:gains:*
-- and expenses:losses:*; valuation of each month, cost and market_value.
--   psql -v to=2026-11-01T00:00:00Z -v timezone=Europe/Madrid -v entity= -f sql/page/months.sql
with own as materialized (
  select n.entity_id, n.currency as reporting from books.entities n where books_internal.is_chosen(n.entity_id, :'entity')
), summed as materialized (
  select o.reporting, m.entity_id, m.booked_in, m.currency, sum(m.value) filter (where books_internal.is_holding(m.account)) as cost,
    sum(m.unvalued) filter (where books_internal.is_holding(m.account)) as unvalued
  from books_internal.value_monthly m
  join own o using (entity_id)
  group by o.reporting, m.entity_id, m.booked_in, m.currency
), month as materialized (
  select to_char(day, 'YYYY-MM') as month, books_internal.local_start(day + interval '1 month', :'timezone') as ends_at
  from generate_series(date_trunc('month', :'to'::timestamptz at time zone :'timezone') - interval '12 months',
    date_trunc('month', :'to'::timestamptz at time zone :'timezone') - interval '1 month', interval '1 month') as day
  where to_char(day, 'YYYY-MM') >= (select min(booked_in) from summed) and books_internal.local_start(day, :'timezone') < (
      select coalesce(max(coalesce(c.covered_to, 'infinity')), 'infinity') from books.coverage c where books_internal.is_chosen(c.entity_id, :'entity')
    )
), proved as (
  select entity_id, min(coalesce(covered_to, 'infinity')) as to_instant from books.coverage group by entity_id, stream, scope
), seen as (
  select m.month, o.entity_id, o.reporting, least(min(p.to_instant), m.ends_at) as as_of
  from month m
  cross join own o
  left join proved p using (entity_id)
  group by m.month, m.ends_at, o.entity_id, o.reporting
), rate as materialized (
  select s.as_of, r.currency, r.reporting, r.currency_units, r.reporting_units
  from (select distinct as_of from seen) as s
  cross join lateral books_internal.market_rates(s.as_of) r
), unit as (
  select m.month, t.entity_id, t.currency, sum(t.debit - t.credit) as units
  from month m
  cross join lateral books_internal.totals_counted(m.ends_at, 'posted_at') t
  where books_internal.is_holding(t.account) and books_internal.is_chosen(t.entity_id, :'entity')
  group by m.month, t.entity_id, t.currency
  having sum(t.debit - t.credit) <> 0
), market as (
  select month, entity_id, u.currency, s.reporting, case when u.currency = s.reporting then books_internal.cents(u.units)
    else round(u.units * r.reporting_units / r.currency_units, 2) end as market
  from unit u
  join seen s using (month, entity_id)
  left join rate r on (r.as_of, r.currency, r.reporting) = (s.as_of, u.currency, s.reporting)
), cost as (
  select m.month, s.entity_id, s.currency, s.reporting, sum(s.cost) as cost, sum(s.unvalued) as unvalued
  from month m
  join summed s on s.booked_in <= m.month
  group by m.month, s.entity_id, s.currency, s.reporting
), asset as (
  select month, coalesce(k.reporting, c.reporting) as reporting, c.cost, coalesce(c.unvalued, 0) as unvalued,
    case when k.entity_id is null then 0 else k.market end as market
  from market k
  full join cost c using (month, entity_id, currency)
), gain as ( -- each account as in its trial balance: both sides and what came late, each an exact sum rounded once
  select o.reporting, m.entity_id, m.booked_in, m.account, m.currency, sum(m.credit) filter (where m.effective_in >= m.booked_in) as credit,
    sum(m.debit) filter (where m.effective_in >= m.booked_in) as debit,
    sum(coalesce(m.debit, 0) - coalesce(m.credit, 0)) filter (where m.effective_in < m.booked_in) as late, sum(m.unvalued) as unvalued
  from books_internal.value_monthly m
  join own o using (entity_id)
  where m.account ~ '^(income:gains|expenses:losses):'
  group by o.reporting, m.entity_id, m.booked_in, m.account, m.currency
), realised as (
  select booked_in as month, reporting, sum(coalesce(books_internal.cents(credit), 0) - coalesce(books_internal.cents(debit), 0)
    - coalesce(books_internal.cents(late), 0)) as realised, sum(unvalued) as unvalued
  from gain group by booked_in, reporting
)
select month, value_currency, case when realised <> 0 or unvalued_gains = 0 then realised end as realised,
  case when unrealised <> 0 or unpriced + unvalued = 0 then unrealised end as unrealised, case when cost <> 0 or unvalued = 0 then cost end as cost,
  case when market <> 0 or unpriced = 0 then market end as market, unpriced
from (
  select month, reporting as value_currency, trim_scale(coalesce(max(r.realised), 0)) as realised, coalesce(max(r.unvalued), 0) as unvalued_gains,
    trim_scale(sum(case when a.unvalued = 0 then a.market - a.cost end)) as unrealised, trim_scale(sum(a.cost)) as cost,
    trim_scale(sum(a.market)) as market, count(*) filter (where a.market is null) as unpriced, sum(a.unvalued) as unvalued
  from asset a
  left join realised r using (month, reporting)
  group by month, reporting
) as total
order by month, value_currency;
