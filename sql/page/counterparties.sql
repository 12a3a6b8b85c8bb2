-- Counterparties in money: received from and sent to each in the period, in the reporting currency: of each set of books the twenty
-- with the most of each type, and the others of the type together. A reversal stands on the opposite side. Each figure is the sum of the cents that the
-- lines carry in the books, and empty if none of them has a value; unvalued counts the lines without one. What took effect before the period is not in it.
-- For: the report page. Ties to: trial_balance, opening_value - closing_value + prior_period_value of equity:external:* for in - out.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/page/counterparties.sql
with line as materialized (
  select entity_id, entry_id, leg, account, units, value, value_currency
  from books_internal.value_lines_within(:'from'::timestamptz, :'to'::timestamptz, 'posted_at')
  where account like 'equity:external:%' and effective_at >= :'from'::timestamptz and books_internal.is_chosen(entity_id, :'entity')
), party as (
  select l.entity_id, o.counterparty_type, o.counterparty, split_part(l.account, ':', 3) as channel, l.value_currency, coalesce(-sum(l.value) filter (where l.value < 0), 0) as came_in,
    coalesce(sum(l.value) filter (where l.value > 0), 0) as went_out, count(*) filter (where l.value is null and l.units < 0) as unvalued_in,
    count(*) filter (where l.value is null and l.units > 0) as unvalued_out, count(*) as lines, count(*) filter (where l.value is null) as unvalued
  from line l
  cross join lateral (
    select p.counterparty_type, p.counterparty from books.outside p
    where (p.entity_id, p.entry_id, p.leg, p.account) = (l.entity_id, l.entry_id, l.leg, l.account) offset 0
  ) as o
  group by l.entity_id, o.counterparty_type, o.counterparty, split_part(l.account, ':', 3), l.value_currency
), ranked as (
  select *, row_number() over (partition by entity_id, counterparty_type, value_currency order by came_in + went_out desc, counterparty collate "C", channel collate "C") > 20 as is_other
  from party
)
select counterparty_type, case when not is_other then counterparty end as counterparty, case when is_other then '' else channel end as channel, value_currency,
  case when sum(came_in) > 0 or sum(unvalued_in) = 0 then trim_scale(sum(came_in)) end as "in",
  case when sum(went_out) > 0 or sum(unvalued_out) = 0 then trim_scale(sum(went_out)) end as "out", sum(lines) as lines, sum(unvalued) as unvalued, count(*) as parties
from ranked
group by entity_id, counterparty_type, 2, 3, value_currency
order by min((counterparty_type <> 'unknown')::integer), counterparty_type collate "C", min(counterparty collate "C"), min(channel collate "C"), value_currency, entity_id collate "C";
