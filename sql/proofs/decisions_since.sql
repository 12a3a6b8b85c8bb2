-- Decisions since: what people decided after a run without booking an entry: approvals, work on breaks, statements, erasures, duties.
-- For: verify report, of an export of an open month. Ties to: books.proposals, books.break_events, books.external_statements, books.erasures.
--   psql -v entity= -v last_run=12 -f sql/proofs/decisions_since.sql
with made as (
  select entity_id, action as kind, case action when 'waive' then content::jsonb ->> 'break_id' when 'dismiss' then record_id end as about,
    format('proposal %s (%s)', proposal_id, action) as what, approved_by as decided_by, approved_at as decided_at
  from books.proposals
  where verdict = 'approved' and action not in ('open', 'adjust', 'settle', 'reverse')
  union all
  select entity_id, case status when 'resolved' then 'resolve' else 'break' end, break_id, format('break %s (%s)', break_id, status), changed_by, changed_at
  from books.break_events
  where changed_by is not null
  union all
  select entity_id, 'statement', null, format('statement %s of %s', statement_number, account_name), imported_by, imported_at from books.external_statements
  union all
  select entity_id, 'statement', null, format('withdrawal of statement %s of %s', statement_number, account_name), withdrawn_by, withdrawn_at
  from books.external_statements
  where withdrawn_at is not null
  union all
  select entity_id, 'erasure', null, format('erasure %s', erasure_id), erased_by, erased_at from books.erasures
  union all
  select null, 'duties', null, case when is_one_person then 'duties of one person' else 'duties of two people' end, set_by, set_at from books_internal.duties
)
select kind, about, what, decided_by, to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as decided_at
from made
where made.decided_at > (select coalesce(finished_at, started_at) from books.runs where run_number = :'last_run'::bigint)
  and (kind not in ('break', 'resolve', 'statement', 'erasure') or books_internal.is_chosen(entity_id, :'entity')) -- files count for all entities
order by made.decided_at desc, what;
