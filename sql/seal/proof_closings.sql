-- Proof of openings: the opening of every account in the month after a closed one equals the sealed closing, in units and in
-- value; and so does each lot, after the last closed month.
-- For: verify ledger, verify report. Ties to: decide.seal_closings; the opening of the trial balance of the month after.
--   psql -f sql/seal/proof_closings.sql
with closed as (
  select s.entity_id, s.period, s.seal_number, s.period = max(s.period) over (partition by s.entity_id) as is_last
  from books.seals s where s.status = 'closed' and s.seal like '%"closings":{%'
), sealed as (
  select c.entity_id, c.period, v.subject, v.currency, v.units, v.exact, v.value
  from closed c
  join decide.seal_closings v using (entity_id, period, seal_number)
  where c.is_last or v.subject not like 'lot %'
), by_month as materialized (
  select * from books_internal.value_by_month
), standing as (
  select c.entity_id, c.period, m.subject, m.currency, sum(m.units) as units, sum(m.exact) as exact, sum(m.value) as value
  from closed c
  join by_month m on m.entity_id = c.entity_id and m.period <= c.period
  where c.is_last or m.subject not like 'lot %'
  group by 1, 2, 3, 4
  having sum(m.units) <> 0 or sum(m.exact) <> 0 or sum(m.value) <> 0
), compared as (
  select entity_id, period, subject, currency,
    case when (s.units, s.exact, s.value) is distinct from (n.units, n.exact, n.value) then format(
      'was sealed with %s and %s in value, the next month opens with %s and %s', coalesce(trim_scale(s.units)::text, 'nothing'),
      coalesce(trim_scale(coalesce(s.value, s.exact))::text, 'none'), coalesce(trim_scale(n.units)::text, 'nothing'),
      coalesce(trim_scale(coalesce(n.value, n.exact))::text, 'none')) end as fault
  from sealed s
  full join standing n using (entity_id, period, subject, currency)
)
select count(*) as checked, count(fault) as faults,
  min(format('%s %s of %s, %s: %s', subject, currency, entity_id, period, fault) collate "C")
    filter (where fault is not null) as first
from compared;
