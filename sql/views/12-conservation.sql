-- The proof that landed = booked + rejected + set aside, in counts.
-- For: verify; the manifest.
--   psql -f sql/views/12-conservation.sql

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

-- An id as a number whose sums do not depend on order: the first 60 bits of its SHA-256.
create function books_internal.id_digest(id text) returns bigint language sql immutable strict parallel safe
return ('x' || left(encode(sha256(convert_to(id, 'UTF8')), 'hex'), 15))::bit(60)::bigint;

-- Each record twice, from two independent sides: as landed, and by its outcome. record_at is its own time, or the time of landing
-- if its own cannot be read. Rule version 0: no outcome yet.
create view books_internal.conservation_ids as
select entity_id, stream, record_id, coalesce(record_at, landed_at) as record_at, coalesce(rule_version, 0) as rule_version,
  'landed' as counted_as, books_internal.id_digest(record_id) as digest
from books.records
union all
select o.entity_id, o.stream, o.record_id, coalesce(r.record_at, r.landed_at), o.rule_version, o.outcome,
  books_internal.id_digest(o.record_id)
from ledger.outcomes o
left join land.records r using (entity_id, stream, record_id, version)
where not exists (
  select from ledger.outcomes newer
  where (newer.entity_id, newer.stream, newer.record_id) = (o.entity_id, o.stream, o.record_id) and newer.version > o.version
);

-- The proof in counts, per stream and rule version: landed = booked + rejected + set aside, for counts and for ids. `_ids`
-- is the sum of `books_internal.id_digest` over the records, so landed_ids = booked_ids + rejected_ids + set_aside_ids.
create view books_internal.conservation_proof as
select entity_id, stream, rule_version, count(*) filter (where counted_as = 'landed') as landed,
  count(*) filter (where counted_as = 'booked') as booked, count(*) filter (where counted_as = 'rejected') as rejected,
  count(*) filter (where counted_as = 'set-aside') as set_aside,
  coalesce(sum(digest) filter (where counted_as = 'landed'), 0) as landed_ids,
  coalesce(sum(digest) filter (where counted_as = 'booked'), 0) as booked_ids,
  coalesce(sum(digest) filter (where counted_as = 'rejected'), 0) as rejected_ids,
  coalesce(sum(digest) filter (where counted_as = 'set-aside'), 0) as set_aside_ids
from books_internal.conservation_ids
group by entity_id, stream, rule_version;

-- The figures that each run proved after it booked.
create view books_internal.run_conservation as
select c.run_id, c.entity_id, c.stream, c.rule_version, c.landed, c.booked, c.rejected, c.set_aside, c.landed_ids, c.booked_ids,
  c.rejected_ids, c.set_aside_ids, c.sums
from run.conservation c
where not exists (
  select from run.conservation later
  where (later.entity_id, later.run_id) = (c.entity_id, c.run_id) and later.reading > c.reading
);
