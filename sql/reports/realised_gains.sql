-- Realised gains: every disposal posted in the period, one row for each part of a lot that it used.
-- For: tax, month-end close. Ties to: trial_balance, income:gains:realised and expenses:losses:realised, or those of :fx for a
-- fiat currency, whose credit is the sum of gain, rounded once; asset_roll_forward. gain = proceeds - cost in every row, to the
-- last digit, in value_currency; fee_in_proceeds is a fee that reduced the proceeds. Without a lot or a known cost, cost and gain
-- are empty, never 0. exchanged_for is what was received, otherwise where the units went: the account of a fee, or external if they
-- left the platform; undone where they replace those of a lot that a reversal removed. Days are in the books' timezone. A later
-- reversal has the opposite sign. If the units left the platform, counterparty and its type are those of counterparties.csv; for an
-- exchange or a fee it is the platform, for one that a person entered by hand it is unknown.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/realised_gains.sql
with disposal as (
  select d.*, n.currency as value_currency,
    (d.acquired_at at time zone coalesce(n.timezone, 'UTC'))::date as acquired_on,
    (d.disposed_at at time zone coalesce(n.timezone, 'UTC'))::date as disposed_on,
    case when o.counterparty_type is not null then o.counterparty when t.is_known then 'the platform' end as counterparty,
    coalesce(o.counterparty_type, case when t.is_known then 'platform' else 'unknown' end) as counterparty_type
  from books_internal.disposals_within(:'from'::timestamptz, :'to'::timestamptz, :'by') d
  left join books.entities n using (entity_id)
  cross join lateral (
    select d.exchanged_for in ('external', 'opening', 'undone') as may_be_external,
      d.exchanged_for not in ('external', 'opening') and d.stream <> 'manual' as is_known
  ) as t
  left join lateral (
    select p.counterparty, p.counterparty_type
    from books.outside p
    where (p.entity_id, p.entry_id, p.leg) = (d.entity_id, d.entry_id, d.leg) and t.may_be_external
  ) as o on true
  where books_internal.is_chosen(entity_id, :'entity')
)
select entity_id, taxpayer, currency as asset, disposed_at, acquired_on, disposed_on - acquired_on as held_days, units, proceeds, cost, gain, value_currency, fee_in_proceeds, exchanged_for, method, lot_entity_id, lot_id,
  stream, record_id, entry_id, leg, disposal_id, original_period, counterparty, counterparty_type
from disposal
order by entity_id collate "C", counted_at, disposed_at, entry_id, leg, disposal_id collate "C";
