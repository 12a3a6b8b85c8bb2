-- Proof of erasures: records are marked as erased by an erasure in the log, by none more than it states, and none while a hold
-- covered it. A mark keeps the personal fields of every later version out of the books.
-- For: verify ledger. Ties to: books.erasures, books.holds.
--   psql -f sql/proofs/erased_records.sql
with marked as (
  select entity_id, erasure_id, count(*) as records, min(format('%s %s', stream, record_id) collate "C") as first
  from land.erased_records group by 1, 2
), compared as (
  select case
      when e.erasure_id is null then format('%s of %s is marked as erased by %s, and the log has no such erasure',
        m.first, entity_id, erasure_id)
      when m.records > e.records_erased then format('erasure %s of %s: records erased %s, marked with it %s',
        erasure_id, entity_id, e.records_erased, m.records)
    end as fault
  from marked m
  left join land.erasures e using (entity_id, erasure_id)
  union all
  select format('%s %s of %s was erased by %s, and hold %s covered it', stream, record_id, entity_id, erasure_id, hold_id)
  from land.held_records
  join land.erased_records using (entity_id, stream, record_id)
  join land.erasures e using (entity_id, erasure_id)
  join land.holds h using (entity_id, hold_id)
  left join land.hold_releases r using (entity_id, hold_id)
  where e.at >= h.at and (r.at is null or r.at > e.at)
)
select count(*) as checked, count(fault) as faults, min(fault collate "C") as first
from compared;
