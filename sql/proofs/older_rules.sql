-- Older rules: outcomes of rule versions that the program no longer has still match the count of the last run: the same
-- numbers of records, and the same sums on each side.
-- For: verify ledger. Ties to: books_internal.run_conservation.
--   psql -v streams='{movements,trades}' -v versions='{1,1}' -f sql/proofs/older_rules.sql
with today as (
  select * from unnest(:'streams'::text[], :'versions'::integer[]) as rule (stream, rule_version)
), last as (
  select distinct on (c.entity_id) c.entity_id, c.run_id, c.reading
  from run.conservation c join run.runs r using (run_id)
  order by c.entity_id, r.started_at desc, c.reading desc
), counted as (
  select c.entity_id, c.stream, c.rule_version, c.landed, c.booked, c.rejected, c.set_aside, c.sums
  from run.conservation c join last using (entity_id, run_id, reading)
), summed as (
  select entity_id, stream, rule_version, jsonb_agg(jsonb_build_object('side', side, 'currency', currency, 'landed', landed::text,
    'booked', booked::text, 'set_aside', set_aside::text) order by side, currency) as sums
  from books_internal.conservation_sums where landed <> 0 or booked <> 0 or set_aside <> 0 group by 1, 2, 3
), standing as (
  select p.entity_id, p.stream, p.rule_version, p.landed, p.booked, p.rejected, p.set_aside, coalesce(s.sums, '[]') as sums
  from books_internal.conservation_proof p left join summed s using (entity_id, stream, rule_version)
), judged as (
  select entity_id, stream, rule_version,
    case
      when c.landed is null then 'were counted by no run'
      when n.landed is null then 'are missing'
      when (c.landed, c.booked, c.rejected, c.set_aside) <> (n.landed, n.booked, n.rejected, n.set_aside)
        then format('are %s records now (%s booked, %s rejected, %s set aside) and were %s (%s, %s, %s) at the last count',
          n.landed, n.booked, n.rejected, n.set_aside, c.landed, c.booked, c.rejected, c.set_aside)
      when c.sums <> n.sums then 'have other sums than at the last count'
    end as fault
  from counted c
  full join standing n using (entity_id, stream, rule_version)
  where rule_version <> 0 and (stream, rule_version) not in (select t.stream, t.rule_version from today t)
)
select count(*) as checked, count(fault) as faults,
  min(format('%s of %s by rule %s %s', stream, entity_id, rule_version, fault) collate "C") filter (where fault is not null) as first
from judged;
