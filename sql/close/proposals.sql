-- Proposals: every proposal must be approved or refused: those of the entity, those for the whole company, which are stored at the
-- main account, and those of any entity that shares its lots that move or choose lots. A choice of lots for disposals of later months
-- alone changes nothing of this one.
-- For: close. Ties to: books.proposals.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -f sql/close/proposals.sql
with sharing as (
  select p.entity_id
  from books.profiles p
  where p.taxpayer = (select own.taxpayer from books.profiles own where own.entity_id = :'entity')
)
select 'proposal ' || proposal_id as subject,
  format('%s%s, prepared by %s, awaits approval: approve %s --by NAME, or --refuse --reason TEXT if it is wrong', action,
    case when entity_id <> :'entity' then ' of ' || entity_id end, prepared_by, proposal_id) as detail
from books.proposals p
where verdict = 'waiting' and (
    entity_id = :'entity' or action in ('counterparties', 'rates', 'profiles', 'chart', 'labels')
    or (action in ('open', 'adjust', 'settle', 'reverse', 'lots', 'choose') and entity_id in (select s.entity_id from sharing s))
  )
  and (effective_at is null or effective_at::timestamptz < :'to'::timestamptz) and (period is null or period <= :'period')
  and (action <> 'choose' or exists (
    select from jsonb_array_elements(p.content::jsonb -> 'choices') as chosen (choice)
    where :'period' >= coalesce((
      select max(e.period) from books.entries e
      where (e.entity_id, e.stream, e.record_id) = (p.entity_id, chosen.choice ->> 0, chosen.choice ->> 1)
    ), '')
  ))
order by prepared_at, entity_id, proposal_id;
