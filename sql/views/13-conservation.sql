-- The proof that landed = booked + rejected + set aside, in counts.
-- For: verify; the manifest.
--   psql -f sql/views/13-conservation.sql

create view books.conservation as
select entity_id, stream, count(*) as landed, count(*) filter (where outcome = 'booked') as booked,
  count(*) filter (where outcome = 'rejected') as rejected, count(*) filter (where outcome like 'set aside%') as set_aside,
  count(*) filter (where outcome = 'not yet normalized') as undecided
from books.records
group by entity_id, stream;
comment on view books.conservation is
  'One row per entity and stream: landed = booked + rejected + set_aside + undecided, in records.';
comment on column books.conservation.landed is 'Number of records landed.';
comment on column books.conservation.booked is 'Number of records booked.';
comment on column books.conservation.rejected is 'Number of records that no rule accepts.';
comment on column books.conservation.set_aside is 'Number of records set aside by a named rule.';
comment on column books.conservation.undecided is 'Number of records not normalized yet; 0 unless a stage is at work.';

-- Each outcome with its record's own time, or the time of landing if its own cannot be read, or -infinity if it never landed.
-- is_latest: as for record_versions.
create view books_internal.record_outcomes as
select o.entity_id, o.stream, o.record_id, o.version, o.rule_version, o.outcome, coalesce(r.record_at, r.landed_at, '-infinity') as record_at,
  case
    when (o.entity_id, o.stream, o.record_id) in (select changed.entity_id, changed.stream, changed.record_id from ledger.outcomes changed where changed.version > 1)
    then (o.entity_id, o.stream, o.record_id, o.version) in (
      select newest.entity_id, newest.stream, newest.record_id, max(newest.version) from ledger.outcomes newest where newest.version > 1 group by 1, 2, 3
    )
    else true
  end as is_latest
from ledger.outcomes o
left join land.records r using (entity_id, stream, record_id, version);

-- Each record twice, from two independent sides: as landed, and by its outcome. Rule version 0: no outcome yet.
create view books_internal.counted_records as
select entity_id, stream, record_id, coalesce(record_at, landed_at) as record_at, coalesce(rule_version, 0) as rule_version,
  'landed' as counted_as
from books.records
union all
select o.entity_id, o.stream, o.record_id, o.record_at, o.rule_version, o.outcome
from books_internal.record_outcomes o
where not exists (
  select from ledger.outcomes newer
  where (newer.entity_id, newer.stream, newer.record_id) = (o.entity_id, o.stream, o.record_id) and newer.version > o.version
);

-- counted_records whose own time is in [from_at, to_at), for all of them in one statement. From the beginning on, both sides are read
-- whole: only then is an outcome counted whose record never landed. Otherwise the records are found by their own time, and each
-- outcome by its record, so that a month costs a month. Each part is left out by its bound before it reads anything.
create function books_internal.counted_within(from_at timestamptz, to_at timestamptz)
returns table (entity_id text, stream text, rule_version integer, counted_as text) language sql stable parallel safe as $$
  select r.entity_id, r.stream, coalesce(r.rule_version, 0), 'landed'
  from books_internal.record_versions r
  where from_at = '-infinity' and coalesce(r.record_at, r.landed_at) < to_at and r.is_latest
  union all
  select o.entity_id, o.stream, o.rule_version, o.outcome
  from books_internal.record_outcomes o
  where from_at = '-infinity' and o.record_at < to_at and o.is_latest
  union all
  select r.entity_id, r.stream, counted.rule_version, counted.counted_as
  from books_internal.record_versions r
  left join lateral (
    select k.rule_version, k.outcome, k.is_latest from books_internal.record_outcomes k
    where (k.entity_id, k.stream, k.record_id, k.version) = (r.entity_id, r.stream, r.record_id, r.version)
    offset 0
  ) as o on true
  cross join lateral (values
    (r.is_latest, coalesce(o.rule_version, 0), 'landed'), (o.is_latest, o.rule_version, o.outcome)
  ) as counted (is_latest, rule_version, counted_as)
  where from_at > '-infinity' and coalesce(r.record_at, r.landed_at) >= from_at and coalesce(r.record_at, r.landed_at) < to_at
    and counted.is_latest
$$;

-- The proof in counts for the records of a period [from, to), per stream and rule version: landed = booked + rejected + set_aside.
create function books_internal.conservation_within(from_at timestamptz, to_at timestamptz)
returns table (entity_id text, stream text, rule_version integer, landed bigint, booked bigint, rejected bigint, set_aside bigint)
language sql stable parallel safe as $$
  select c.entity_id, c.stream, c.rule_version, count(*) filter (where counted_as = 'landed'),
    count(*) filter (where counted_as = 'booked'), count(*) filter (where counted_as = 'rejected'),
    count(*) filter (where counted_as = 'set-aside')
  from books_internal.counted_within(from_at, to_at) c
  group by c.entity_id, c.stream, c.rule_version
$$;

-- The proof in counts of all records.
create view books_internal.conservation_proof as
select * from books_internal.conservation_within('-infinity', 'infinity');

-- The figures that each run proved after it booked.
create view books_internal.run_conservation as
select c.run_id, c.entity_id, c.stream, c.rule_version, c.landed, c.booked, c.rejected, c.set_aside, c.sums
from run.conservation c
where not exists (
  select from run.conservation later
  where (later.entity_id, later.run_id) = (c.entity_id, c.run_id) and later.reading > c.reading
);
