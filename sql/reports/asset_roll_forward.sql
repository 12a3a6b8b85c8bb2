-- Asset roll-forward: each asset from its opening to its closing, in units and money, over all our accounts.
-- For: month-end close, audit. Ties to: trial_balance, assets:* but assets:tax-withheld, per currency; holdings and valuation at the end. in
-- and out crossed the border of the platform, of our liabilities or of withheld tax; opened is what people entered as held
-- before these books. A reversal is negative in the column of the entry that it reverses. closing is read from the daily
-- summary and equals opening + prior_period + opened + in + rewards - out + traded_in - traded_out - fees.
-- The columns …_value are the same in value_currency, at cost: each flow is rounded to the cent once; opening_value and
-- closing_value are the carrying amounts, each to the cent; within_value is the difference of the lots' cost and the remaining
-- cents; empty for unvalued assets. closing_value - rounding_value is rounded once, and for the reporting currency it equals the
-- units. unvalued: lines up to the end without a value.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/asset_roll_forward.sql
with part as (
  select entity_id, currency, 'opening' as what, debit - credit as amount, null::numeric as value,
    null::numeric as exact
  from books_internal.totals_counted(:'from'::timestamptz, :'by')
  where books_internal.is_holding(account)
  union all
  select entity_id, currency, 'closing', debit - credit, null, null
  from books_internal.totals_counted(:'to'::timestamptz, :'by')
  where books_internal.is_holding(account)
  union all
  select entity_id, currency, books_internal.roll_forward_type(across, amount, is_undone, is_late), amount, null, null
  from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where books_internal.is_holding(account) and not books_internal.is_holding(across)
  union all
  select t.entity_id, t.currency, side.what, 0, side.value, side.exact
  from books_internal.value_totals(:'from'::timestamptz, :'to'::timestamptz, :'by') t
  cross join lateral (
    values ('opening', t.opening, 0), ('closing', t.closing, t.exact), ('unvalued', t.unvalued, 0)
  ) as side (what, value, exact)
  where books_internal.is_holding(t.account)
  union all
  select entity_id, currency, books_internal.roll_forward_type(across, units, is_undone, is_late), 0, value, case when value is not null then exact end
  from books_internal.period_value_lines(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where books_internal.is_holding(account)
), summed as (
  select entity_id, currency, what, sum(amount) as amount, sum(value) as value, books_internal.cents(sum(exact)) as exact
  from part
  where books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, currency, what
), by_kind as ( -- per measure: inflows, outflows and balance
  select entity_id, currency, measure, coalesce(sum(figure.amount) filter (where what = 'opening'), 0) as opening,
    coalesce(sum(figure.amount) filter (where what = 'late'), 0) as prior_period,
    coalesce(sum(figure.amount) filter (where what = 'opened'), 0) as opened,
    coalesce(sum(figure.amount) filter (where what = 'in'), 0) as came_in,
    coalesce(sum(figure.amount) filter (where what = 'reward'), 0) as rewards,
    coalesce(-sum(figure.amount) filter (where what = 'out'), 0) as went_out,
    coalesce(sum(figure.amount) filter (where what = 'traded in'), 0) as traded_in,
    coalesce(-sum(figure.amount) filter (where what = 'traded out'), 0) as traded_out,
    coalesce(-sum(figure.amount) filter (where what = 'fee'), 0) as fees,
    coalesce(sum(figure.amount) filter (where what = 'within'), 0) as within,
    coalesce(sum(figure.amount) filter (where what = 'closing'), 0) as closing,
    coalesce(sum(figure.amount) filter (where what = 'unvalued'), 0) as unvalued,
    bool_or(what not in ('opening', 'closing', 'unvalued')) as has_moved
  from summed
  cross join lateral (
    values ('units', summed.amount), ('value', summed.value), ('exact', summed.exact)
  ) as figure (measure, amount)
  group by entity_id, currency, measure
  having count(figure.amount) > 0
)
select entity_id, currency, trim_scale(t.opening) as opening, trim_scale(t.prior_period) as prior_period,
  trim_scale(t.opened) as opened, trim_scale(t.came_in) as "in", trim_scale(t.rewards) as rewards,
  trim_scale(t.went_out) as "out", trim_scale(t.traded_in) as traded_in, trim_scale(t.traded_out) as traded_out,
  trim_scale(t.fees) as fees, trim_scale(t.closing) as closing,
  n.value_currency, round(w.opening, 2) as opening_value, round(x.prior_period, 2) as prior_period_value,
  round(x.opened, 2) as opened_value, round(x.came_in, 2) as in_value, round(x.rewards, 2) as rewards_value,
  round(x.went_out, 2) as out_value, round(x.traded_in, 2) as traded_in_value, round(x.traded_out, 2) as traded_out_value,
  round(x.fees, 2) as fees_value, round(w.moved - x.moved + x.within, 2) as within_value, round(w.closing, 2) as closing_value,
  round(w.closing - x.closing, 2) as rounding_value,
  w.unvalued::bigint as unvalued
from (select * from by_kind where measure = 'units') as t
left join (
  select *, prior_period + opened + came_in + rewards - went_out + traded_in - traded_out - fees + within as moved
  from by_kind where measure = 'value'
) as w using (entity_id, currency)
left join (
  select *, prior_period + opened + came_in + rewards - went_out + traded_in - traded_out - fees + within as moved
  from by_kind where measure = 'exact'
) as x using (entity_id, currency)
left join (select entity_id, currency as value_currency from books.entities) as n using (entity_id)
where t.opening <> 0 or t.closing <> 0 or t.has_moved or w.opening <> 0 or w.closing <> 0
order by entity_id collate "C", currency collate "C";
