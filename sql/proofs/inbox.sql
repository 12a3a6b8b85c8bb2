-- Inbox: it holds exactly the landed versions without an outcome, each at the place of its request, and no version has an outcome that
-- never landed. An extra one would stop a night, a missing one would be skipped; and versions are decided in their order, so that one
-- without an outcome before one that has it was decided too, and its entries with it.
-- For: verify ledger. Ties to: books.conservation, undecided.
--   psql -f sql/proofs/inbox.sql
with waiting as (
  select entity_id, stream, record_id, version, request_id as place, true as waits from land.inbox
), never_landed as (
  select format('version %s of %s %s of %s has an outcome but was never landed', version, stream, record_id, entity_id) as fault
  from ledger.outcomes o
  where not exists (
    select from land.records r
    where (r.entity_id, r.stream, r.record_id, r.version) = (o.entity_id, o.stream, o.record_id, o.version)
  )
), undecided as (
  select entity_id, stream, record_id, version, request_id, true as is_open, exists (
      select from ledger.outcomes o
      where (o.entity_id, o.stream, o.record_id) = (r.entity_id, r.stream, r.record_id) and o.version > r.version
    ) as is_passed
  from land.records r
  where not exists (
    select from ledger.outcomes o
    where (o.entity_id, o.stream, o.record_id, o.version) = (r.entity_id, r.stream, r.record_id, r.version)
  )
), judged as (
  select case
    when is_open and is_passed then format('version %s of %s %s of %s has no outcome, and a later one has', version, stream, record_id, entity_id)
    when waits and is_open and place <> request_id
      then format('version %s of %s %s of %s waits in the inbox at request %s, and request %s landed it', version, stream, record_id, entity_id, place, request_id)
    when waits and is_open then null
    when is_open then format('version %s of %s %s of %s has no outcome and is not in the inbox', version, stream, record_id, entity_id)
    else format('version %s of %s %s of %s is in the inbox, but it has an outcome or was never landed', version, stream, record_id, entity_id)
  end as fault
  from waiting full join undecided using (entity_id, stream, record_id, version)
  union all
  select fault from never_landed
)
select count(*) as checked, count(fault) as faults, min(fault collate "C") as first from judged;
