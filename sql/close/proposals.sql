-- Proposals: every proposal must be approved or refused.
-- For: close. Ties to: books.proposals.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -f sql/close/proposals.sql
select 'proposal ' || proposal_id as subject,
  format('%s, prepared by %s, awaits approval: approve %s --by NAME, or --refuse --reason TEXT if it is wrong', action, prepared_by,
    proposal_id) as detail
from books.proposals
where entity_id = :'entity' and verdict = 'waiting'
  and (effective_at is null or effective_at::timestamptz < :'to'::timestamptz) and (period is null or period <= :'period')
order by prepared_at, proposal_id;
