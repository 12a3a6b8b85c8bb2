-- Asset roll-forward: how each asset came from the period's beginning to its end, in units and money, over all our accounts.
-- For: month-end close, audit. Ties to: trial_balance, assets:* summed per currency; holdings at the end. in and out are
-- what crossed the border of the platform or of what we owe; opened is what people entered as held before these books.
-- A reversal takes back what it undoes, in the same column. closing is read from the daily summary; check_units = opening +
-- prior_period + opened + in + rewards - out + traded_in - traded_out - fees - closing, always 0.
-- The columns …_value are the same in value_currency, at cost, as the accounts carry it, and within_value what lots cost
-- otherwise and the cents that moves between our own accounts leave; empty where nothing is valued. check_value: all of
-- them less closing_value, and that less what the accounts carry exactly, each rounded once, always 0.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/asset_roll_forward.sql
with part as (
  select entity_id, currency, 'opening' as what, debit - credit as amount, null::numeric as value
  from books.totals_counted(:'from'::timestamptz, :'by')
  where account like 'assets:%'
  union all
  select entity_id, currency, 'closing', debit - credit, null
  from books.totals_counted(:'to'::timestamptz, :'by')
  where account like 'assets:%'
  union all
  select entity_id, currency, books.move_of(across, amount, is_undone, is_late), amount, null
  from books.moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where account like 'assets:%' and across not like 'assets:%'
  union all
  select t.entity_id, t.currency, side.what, 0, side.value
  from books.value_totals(:'from'::timestamptz, :'to'::timestamptz, :'by') t
  cross join lateral (values ('opening', t.opening), ('closing', t.closing), ('fault', t.fault)) as side (what, value)
  where t.account like 'assets:%'
  union all
  select entity_id, currency, books.move_of(across, units, is_undone, is_late), 0, value
  from books.value_moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where account like 'assets:%'
), summed as (
  select entity_id, currency, what, sum(amount) as amount, sum(value) as value
  from part
  where :'entity' = '' or entity_id = any (string_to_array(:'entity', ','))
  group by entity_id, currency, what
), by_kind as ( -- of each measure, what came in, went out and was left
  select entity_id, currency, measure, coalesce(sum(it.amount) filter (where what = 'opening'), 0) as opening,
    coalesce(sum(it.amount) filter (where what = 'late'), 0) as prior_period,
    coalesce(sum(it.amount) filter (where what = 'opened'), 0) as opened,
    coalesce(sum(it.amount) filter (where what = 'in'), 0) as came_in,
    coalesce(sum(it.amount) filter (where what = 'reward'), 0) as rewards,
    coalesce(-sum(it.amount) filter (where what = 'out'), 0) as went_out,
    coalesce(sum(it.amount) filter (where what = 'traded in'), 0) as traded_in,
    coalesce(-sum(it.amount) filter (where what = 'traded out'), 0) as traded_out,
    coalesce(-sum(it.amount) filter (where what = 'fee'), 0) as fees,
    coalesce(sum(it.amount) filter (where what = 'within'), 0) as within,
    coalesce(sum(it.amount) filter (where what = 'closing'), 0) as closing,
    coalesce(sum(it.amount) filter (where what = 'fault'), 0) as fault,
    bool_or(what not in ('opening', 'closing', 'fault')) as has_moved
  from summed
  cross join lateral (values ('units', summed.amount), ('value', summed.value)) as it (measure, amount)
  group by entity_id, currency, measure
  having count(it.amount) > 0
)
select entity_id, currency, trim_scale(t.opening) as opening, trim_scale(t.prior_period) as prior_period,
  trim_scale(t.opened) as opened, trim_scale(t.came_in) as "in", trim_scale(t.rewards) as rewards,
  trim_scale(t.went_out) as "out", trim_scale(t.traded_in) as traded_in, trim_scale(t.traded_out) as traded_out,
  trim_scale(t.fees) as fees, trim_scale(t.closing) as closing,
  trim_scale(t.opening + t.prior_period + t.opened + t.came_in + t.rewards - t.went_out + t.traded_in - t.traded_out - t.fees
    - t.closing) as check_units,
  n.value_currency, round(w.opening, 2) as opening_value, round(w.prior_period, 2) as prior_period_value,
  round(w.opened, 2) as opened_value, round(w.came_in, 2) as in_value, round(w.rewards, 2) as rewards_value,
  round(w.went_out, 2) as out_value, round(w.traded_in, 2) as traded_in_value, round(w.traded_out, 2) as traded_out_value,
  round(w.fees, 2) as fees_value, round(w.within, 2) as within_value, round(w.closing, 2) as closing_value,
  trim_scale(w.opening + w.prior_period + w.opened + w.came_in + w.rewards - w.went_out + w.traded_in - w.traded_out - w.fees
    + w.within - w.closing + w.fault) as check_value
from (select * from by_kind where measure = 'units') as t
left join (select * from by_kind where measure = 'value') as w using (entity_id, currency)
left join (select entity_id, currency as value_currency from books.entities) as n using (entity_id)
where t.opening <> 0 or t.closing <> 0 or t.has_moved
order by entity_id collate "C", currency collate "C";
