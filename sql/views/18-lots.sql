-- Lots, disposals, and disposals without a lot.
-- For: realised gains; holdings.
--   psql -f sql/views/18-lots.sql

-- Lots of each taxpayer and asset over all its accounts, and what is left of them. pool: held on the platform, or outside
-- and its own. Under the average what is left costs its share of what all of them together cost.
create view books.lots as
with used as (
  select lot_entity_id, lot_id, sum(units) as units, sum(cost) as cost from value.uses
  where lot_id is not null
  group by lot_entity_id, lot_id
), rest as (
  select l.*, l.units - coalesce(u.units, 0) as units_left, l.cost - coalesce(u.cost, 0) as own_left
  from value.lots l
  left join used u on (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id)
), pooled as (
  select r.*, sum(own_left) over pool as pool_cost, sum(units_left) filter (where cost is not null) over pool as pool_units,
    sum(units_left) filter (where cost is not null) over (pool order by acquired_at, seq rows unbounded preceding) as upto
  from rest r
  window pool as (partition by taxpayer, pool, currency)
)
select taxpayer, currency, lot_id, entity_id, entry_id, acquired_at, trim_scale(units) as units, trim_scale(cost) as cost,
  trim_scale(units_left) as units_left,
  trim_scale(case
    when cost is null then null
    when method <> 'average' then own_left
    when units_left = 0 then 0
    else round(pool_cost * upto / pool_units, 18) - round(pool_cost * (upto - units_left) / pool_units, 18)
  end) as cost_left,
  origin, pool, leg, period, method
from pooled;

-- Disposals, a row for each fraction of a lot: gain = proceeds - cost, to the last digit. Without a lot, or where a cost is
-- not known, cost and gain are null. A reversal that came later stands with the other sign.
create view books.disposals as
select taxpayer, currency, use_id as disposal_id, entity_id, entry_id, leg, used_at as disposed_at, lot_id, acquired_at,
  (used_at at time zone 'UTC')::date - (acquired_at at time zone 'UTC')::date as held_days, trim_scale(units) as units,
  trim_scale(proceeds) as proceeds, trim_scale(cost) as cost, trim_scale(proceeds - cost) as gain,
  trim_scale(fee_in_proceeds) as fee_in_proceeds, exchanged_for, method, period, lot_entity_id
from value.uses
where exchanged_for is not null;

-- Lots that people said are ours and lie outside: each is in books.lots too, in the pool outside, as outside/<lot_number>.
create view books.outside_lots as
select entity_id, lot_number, currency, units, cost, cost_currency, acquired_on, file_name, file_sha256, line, evidence_name,
  evidence_sha256, reason, by_name, at
from decide.outside_lots;

-- Units that left, and that no lot had brought: negative where a reversal took that back.
create view books.unbacked as
select taxpayer, currency, pool, entity_id, entry_id, leg, used_at, period, trim_scale(units) as units
from value.uses
where lot_id is null;
