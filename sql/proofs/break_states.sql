-- Proof of breaks: each has the status of the last step of its history, and who it is assigned to, explained by and resolved by took that
-- step. A waiver is a decision of its own, and changes none of these.
-- For: verify ledger. Ties to: books.breaks, books.break_events.
--   psql -f sql/proofs/break_states.sql
with step as (
  select entity_id, break_id, event_id, status, by_name, reason from reconcile.break_events where status <> 'waived'
), compared as (
  select case
      when last.status is distinct from b.status
        then format('break %s of %s is %s, and its last step says %s', b.break_id, b.entity_id, b.status, coalesce(last.status, 'nothing'))
      when b.assigned_to is not null and not exists (
        select from step s
        where (s.entity_id, s.break_id) = (b.entity_id, b.break_id) and s.by_name is not null and starts_with(s.reason, format('assigned to %s: ', b.assigned_to))
      ) then format('break %s of %s is assigned to %s, and no step of it says so', b.break_id, b.entity_id, b.assigned_to)
      when b.explained_by is not null and not exists (
        select from step s
        where (s.entity_id, s.break_id, s.status, s.by_name) = (b.entity_id, b.break_id, 'explained', b.explained_by)
          and s.reason = b.explanation || coalesce(' (' || array_to_string(b.explained_records, '; ') || ')', '')
      ) then format('break %s of %s has an explanation by %s, and no step of it says that', b.break_id, b.entity_id, b.explained_by)
      when b.resolved_by is not null and not exists (
        select from step s
        where (s.entity_id, s.break_id, s.status, s.by_name) = (b.entity_id, b.break_id, 'resolved', b.resolved_by)
      ) then format('break %s of %s is resolved by %s, and no step of it says so', b.break_id, b.entity_id, b.resolved_by)
    end as fault
  from reconcile.breaks b
  left join lateral (
    select s.status from step s where (s.entity_id, s.break_id) = (b.entity_id, b.break_id) order by s.event_id desc limit 1
  ) as last on true
)
select count(*) as checked, count(fault) as faults, min(fault collate "C") as first
from compared;
