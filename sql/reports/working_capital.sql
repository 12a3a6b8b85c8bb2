-- Working capital: what the platform advanced to the trading wallet, repayments, and the liability at the period's end.
-- For: treasury, month-end close. Ties to: trial_balance, liabilities:working-capital. opening, prior_period and closing
-- are debit positive, so a liability is negative; a reversal is negative in the column of the entry that it reverses. opened is
-- what people entered as owed. The columns …_value are the same in value_currency: opening_value and closing_value to the cent as in
-- trial_balance, each flow an exact sum rounded once, and rounding_value the rest, so that the figures add up; unvalued of the lines
-- up to the end have no value and are in none of them.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/working_capital.sql
with part as ( -- what each posting is, in units (amount) and in money (value)
  select entity_id, currency, 'opening' as what, debit - credit as amount, null::numeric as value
  from books_internal.totals_counted(:'from'::timestamptz, :'by')
  where account = 'liabilities:working-capital'
  union all
  select entity_id, currency, 'closing', debit - credit, null
  from books_internal.totals_counted(:'to'::timestamptz, :'by')
  where account = 'liabilities:working-capital'
  union all
  select entity_id, currency,
    case
      when is_late then 'late'
      when stream = 'manual' then 'opened'
      when (amount > 0) <> is_undone then 'payback'
      else 'refill'
    end, amount, null
  from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where account = 'liabilities:working-capital'
  union all
  select t.entity_id, t.currency, side.what, 0, side.value
  from books_internal.value_totals(:'from'::timestamptz, :'to'::timestamptz, :'by') t
  cross join lateral (values ('opening', t.opening), ('closing', t.closing), ('unvalued', t.unvalued)) as side (what, value)
  where t.account = 'liabilities:working-capital'
  union all
  select entity_id, currency,
    case
      when is_late then 'late'
      when stream = 'manual' then 'opened'
      when (units > 0) <> is_undone then 'payback'
      else 'refill'
    end, 0, exact
  from books_internal.period_value_lines(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where account = 'liabilities:working-capital'
), total as (
  select entity_id, currency, coalesce(sum(amount) filter (where what = 'opening'), 0) as opening,
    coalesce(sum(amount) filter (where what = 'late'), 0) as prior_period,
    coalesce(sum(amount) filter (where what = 'opened'), 0) as opened,
    coalesce(-sum(amount) filter (where what = 'refill'), 0) as refills,
    coalesce(sum(amount) filter (where what = 'payback'), 0) as paybacks,
    coalesce(sum(amount) filter (where what = 'closing'), 0) as closing,
    count(*) filter (where what not in ('opening', 'closing') and value is null and amount <> 0) as postings,
    coalesce(sum(value) filter (where what = 'opening'), 0) as opening_value,
    coalesce(books_internal.cents(sum(value) filter (where what = 'late')), 0) as prior_period_value,
    coalesce(books_internal.cents(sum(value) filter (where what = 'opened')), 0) as opened_value,
    coalesce(books_internal.cents(-sum(value) filter (where what = 'refill')), 0) as refills_value,
    coalesce(books_internal.cents(sum(value) filter (where what = 'payback')), 0) as paybacks_value,
    coalesce(sum(value) filter (where what = 'closing'), 0) as closing_value, coalesce(sum(value) filter (where what = 'unvalued'), 0)::bigint as unvalued
  from part
  where books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, currency
)
select entity_id, currency, trim_scale(opening) as opening, trim_scale(prior_period) as prior_period,
  trim_scale(opened) as opened, trim_scale(refills) as refills, trim_scale(paybacks) as paybacks,
  trim_scale(closing) as closing, postings,
  n.value_currency, round(opening_value, 2) as opening_value, round(prior_period_value, 2) as prior_period_value,
  round(opened_value, 2) as opened_value, round(refills_value, 2) as refills_value, round(paybacks_value, 2) as paybacks_value,
  round(closing_value, 2) as closing_value,
  round(closing_value - opening_value - prior_period_value - opened_value + refills_value - paybacks_value, 2) as rounding_value,
  unvalued
from total
left join (select entity_id, currency as value_currency from books.entities) as n using (entity_id)
where opening <> 0 or closing <> 0 or postings > 0
order by entity_id collate "C", currency collate "C";
