-- Asset roll-forward: how the units of each asset came from the period's beginning to its end, over all our own accounts.
-- For: month-end close, audit. Ties to: trial_balance, assets:* summed per currency; holdings at the end. in and out are
-- what crossed the border of the platform or of what we owe; opened is what people entered as held before these books.
-- A reversal takes back what it undoes, in the same column. closing is read from the daily summary; check_units = opening +
-- prior_period + opened + in + rewards - out + traded_in - traded_out - fees - closing, always 0.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/asset_roll_forward.sql
with move as (
  select entity_id, currency, amount, is_late, (amount > 0) <> is_undone as came,
    case
      when is_late then 'late'
      when across = 'equity:conversion' then 'traded'
      when across like 'expenses:fees:%' then 'fee'
      when across like 'income:%' then 'reward'
      when across = 'equity:opening' then 'opened'
      else 'transfer'
    end as what
  from books.moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where account like 'assets:%' and across not like 'assets:%'
), part as (
  select entity_id, currency, 'opening' as what, true as came, debit - credit as amount
  from books.totals_counted(:'from'::timestamptz, :'by')
  where account like 'assets:%'
  union all
  select entity_id, currency, 'closing', true, debit - credit
  from books.totals_counted(:'to'::timestamptz, :'by')
  where account like 'assets:%'
  union all
  select entity_id, currency, what, came, amount from move
), total as (
  select entity_id, currency, coalesce(sum(amount) filter (where what = 'opening'), 0) as opening,
    coalesce(sum(amount) filter (where what = 'late'), 0) as prior_period,
    coalesce(sum(amount) filter (where what = 'opened'), 0) as opened,
    coalesce(sum(amount) filter (where what = 'transfer' and came), 0) as came_in,
    coalesce(sum(amount) filter (where what = 'reward'), 0) as rewards,
    coalesce(-sum(amount) filter (where what = 'transfer' and not came), 0) as went_out,
    coalesce(sum(amount) filter (where what = 'traded' and came), 0) as traded_in,
    coalesce(-sum(amount) filter (where what = 'traded' and not came), 0) as traded_out,
    coalesce(-sum(amount) filter (where what = 'fee'), 0) as fees,
    coalesce(sum(amount) filter (where what = 'closing'), 0) as closing,
    bool_or(what not in ('opening', 'closing')) as has_moved
  from part
  where :'entity' = '' or entity_id = any (string_to_array(:'entity', ','))
  group by entity_id, currency
)
select entity_id, currency, trim_scale(opening) as opening, trim_scale(prior_period) as prior_period,
  trim_scale(opened) as opened, trim_scale(came_in) as "in", trim_scale(rewards) as rewards, trim_scale(went_out) as "out",
  trim_scale(traded_in) as traded_in, trim_scale(traded_out) as traded_out, trim_scale(fees) as fees,
  trim_scale(closing) as closing,
  trim_scale(opening + prior_period + opened + came_in + rewards - went_out + traded_in - traded_out - fees - closing)
    as check_units
from total
where opening <> 0 or closing <> 0 or has_moved
order by entity_id collate "C", currency collate "C";
