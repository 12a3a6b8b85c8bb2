-- Conservation since the last proof: the figures of an entity's last proof by a run that ended, with what this run landed and booked
-- added, and what the same records were then taken away. No rows where all records must be read: nothing was proved before,
-- something changed between the two runs, a record was left undecided, a pocket was listed for the first time since, a rule
-- decided records again, or more than a tenth of the records changed.
-- For: normalize, in a night. Ties to: books_internal.run_conservation; conservation.sql gives the same rows.
--   psql -v entity=main -v run=<run_id> -f sql/proofs/conservation_since.sql
with last as ( -- the last proof
  select c.run_id, c.reading, r.run_number, r.started_at
  from run.conservation c join run.runs r using (run_id)
  where c.entity_id = :'entity' and c.run_id <> :'run'::uuid and books_internal.has_concluded_for(c.entity_id, r.run_id) order by c.position desc limit 1
), stored as ( -- its figures
  select c.* from run.conservation c join last using (run_id, reading) where c.entity_id = :'entity'
), since as materialized ( -- the last request and entry before it; no row if all records must be read
  select max(n.requests_before) as last_request, max(n.entries_before) as last_entry
  from run.runs n
  join last on n.run_number > last.run_number and n.run_number <= (select run_number from run.runs where run_id = :'run'::uuid)
  having count(distinct (n.entries_before, n.requests_before)) = 1 and not exists (select from stored where rule_version = 0)
    and not exists (
      select from ledger.restatements s join last on s.at >= last.started_at where s.entity_id = :'entity'
    ) and not exists (
      select from land.pockets p
      where p.entity_id = :'entity' and p.first_listed_at > (
        select coalesce(max(s.taken_at), '-infinity') from land.snapshots s join last using (run_id)
        where s.entity_id = :'entity' and s.product = 'pocket'
      )
    )
), touched as materialized ( -- both bounds: with one alone the planner expects a third of the table
  select r.stream, r.record_id from land.records r
  where r.entity_id = :'entity' and r.request_id > (select last_request from since) and r.request_id <= (select 9223372036854775807 from since)
  union
  select e.stream, e.record_id from ledger.entries e
  where e.entity_id = :'entity' and e.entry_number > (select last_entry from since) and e.entry_number <= (select 9223372036854775807 from since)
), standing as materialized ( -- the same, if few records were touched since
  select * from since where (select count(*) from touched) * 10 <= (select sum(landed) from stored)
), earlier as materialized ( -- what those records were at the last proof
  select t.stream, t.record_id, v.version, v.outcome, coalesce(v.rule_version, 0) as rule_version
  from standing
  cross join touched t
  cross join lateral (
    select * from books_internal.record_versions r
    where (r.entity_id, r.stream, r.record_id) = (:'entity', t.stream, t.record_id) and r.request_id <= standing.last_request
    order by r.version desc limit 1
  ) as v
), counted as ( -- the figures of the proof, and of those records as they are now, less as they were
  select stream, rule_version, landed, booked, rejected, set_aside from stored cross join standing
  union all
  select c.stream, c.rule_version, (c.counted_as = 'landed')::int, (c.counted_as = 'booked')::int, (c.counted_as = 'rejected')::int,
    (c.counted_as = 'set-aside')::int
  from standing
  cross join touched t
  cross join lateral (
    select * from books_internal.counted_records o where (o.entity_id, o.stream, o.record_id) = (:'entity', t.stream, t.record_id) offset 0
  ) as c
  union all
  select stream, rule_version, -1, -(outcome = 'booked')::int, -(outcome = 'rejected')::int, -(outcome like 'set aside%')::int from earlier
), line as ( -- the same in amounts
  select o.stream, o.rule_version, s.side, s.currency, s.landed, s.booked, s.set_aside
  from standing
  cross join stored o
  cross join lateral jsonb_to_recordset(o.sums) as s (side text, currency text, landed numeric, booked numeric, set_aside numeric)
  union all
  select l.stream, coalesce(l.rule_version, 0), l.side, l.currency, l.landed, l.booked, l.set_aside
  from standing
  cross join touched t
  cross join lateral (
    select * from books_internal.conservation_lines o where (o.entity_id, o.stream, o.record_id) = (:'entity', t.stream, t.record_id) offset 0
  ) as l
  union all
  select e.stream, e.rule_version, a.side, a.currency, -coalesce(a.amount, 0), 0,
    case e.outcome when 'booked' then 0 else -coalesce(a.amount, 0) end
  from earlier e
  cross join lateral (
    select * from books_internal.version_amounts v
    where (v.entity_id, v.stream, v.record_id, v.version) = (:'entity', e.stream, e.record_id, e.version) offset 0
  ) as a
  where a.side is not null and a.currency is not null
  union all
  select e.stream, e.rule_version, b.side, b.currency, 0, -b.amount, 0
  from standing
  cross join earlier e
  cross join lateral (
    select * from books_internal.booked_amounts o where (o.entity_id, o.stream, o.record_id) = (:'entity', e.stream, e.record_id) offset 0
  ) as b
  where b.entry_number <= standing.last_entry
), summed as (
  select stream, rule_version, jsonb_agg(jsonb_build_object('side', side, 'currency', currency, 'landed', trim_scale(landed)::text,
    'booked', trim_scale(booked)::text, 'set_aside', trim_scale(set_aside)::text) order by side, currency) as sums
  from (
    select stream, rule_version, side, currency, sum(landed) as landed, sum(booked) as booked, sum(set_aside) as set_aside
    from line group by 1, 2, 3, 4
  ) as by_side
  where landed <> 0 or booked <> 0 or set_aside <> 0
  group by 1, 2
), proof as (
  select stream, rule_version, sum(landed) as landed, sum(booked) as booked, sum(rejected) as rejected, sum(set_aside) as set_aside
  from counted group by 1, 2
)
select :'entity' as entity_id, :'run'::uuid as run_id,
  (select coalesce(max(reading), 0) + 1 from run.conservation where entity_id = :'entity' and run_id = :'run'::uuid) as reading,
  stream, rule_version, coalesce(landed, 0)::int as landed, coalesce(booked, 0)::int as booked,
  coalesce(rejected, 0)::int as rejected, coalesce(set_aside, 0)::int as set_aside, coalesce(sums, '[]')::text as sums
from proof full join summed using (stream, rule_version)
where sums is not null or landed <> 0 or booked <> 0 or rejected <> 0 or set_aside <> 0;
