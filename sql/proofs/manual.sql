-- Proof of manual entries: each equals what one person proposed and another approved, to the last digit, and every approved
-- proposal is booked; what a reopening posts again equals the earlier entry, and undoes it once before: so neither needs an
-- approval. No program books a difference away.
-- For: verify ledger. Ties to: books.proposals, manual_entries.csv.
--   psql -f sql/proofs/manual.sql
with approved as (
  select p.entity_id, case p.action when 'reverse' then c ->> 'record_id' else p.proposal_id end as record_id,
    case p.action when 'reverse' then 1 + (
      select u.ordinal from ledger.entries u where (u.entity_id, u.entry_id) = (p.entity_id, (c ->> 'reverses')::uuid)
    ) else 1 end as ordinal, p.proposal_id,
    jsonb_build_array((c ->> 'effective_at')::timestamptz, a.approved_at, a.period, a.original_period,
      case p.action when 'reverse' then 'reversal' else 'manual' end, c ->> 'reverses', c ->> 'description', c -> 'legs', 1, 1) as content
  from decide.proposals p
  cross join lateral (select p.content::jsonb as c) as parsed
  join decide.approvals a using (entity_id, proposal_id)
  where a.verdict = 'approved' and p.action in ('open', 'adjust', 'settle', 'reverse')
), returned as (
  select r.entity_id, r.undone_by, r.redone_as, case
      when d.entry_id is null
        or (l.kind, l.effective_at, l.description, l.version, l.rule_version) <> (d.kind, d.effective_at, d.description, d.version, d.rule_version)
        or d.period not in (coalesce(l.original_period, l.period), l.period) or d.original_period <> l.original_period
        or legs.late is distinct from legs.redone
        then format('entry %s of %s differs from %s, which a reopening posts again in its month', r.redone_as, r.entity_id, r.entry_id)
      when u.entry_id is null or (u.kind = 'reversal') = (l.kind = 'reversal') or u.effective_at <> l.effective_at
        or u.period <> l.period or u.original_period is distinct from l.original_period
        or (u.stream, u.record_id) <> (l.stream, l.record_id) or (d.stream, d.record_id) <> (l.stream, l.record_id)
        or l.ordinal >= u.ordinal or u.ordinal >= d.ordinal
        or legs.late is distinct from legs.undone
        then format('entry %s of %s does not undo %s, which a reopening posts again in its month', r.undone_by, r.entity_id, r.entry_id)
    end as fault
  from ledger.returns r
  join ledger.entries l using (entity_id, entry_id)
  left join ledger.entries u on (u.entity_id, u.entry_id) = (r.entity_id, r.undone_by)
  left join ledger.entries d on (d.entity_id, d.entry_id) = (r.entity_id, r.redone_as)
  cross join lateral (
    select array_agg((t.leg, t.debit, t.credit, t.currency, t.amount) order by t.leg) filter (where t.entry_id = r.entry_id) as late,
      array_agg((t.leg, t.credit, t.debit, t.currency, t.amount) order by t.leg) filter (where t.entry_id = r.undone_by) as undone,
      array_agg((t.leg, t.debit, t.credit, t.currency, t.amount) order by t.leg) filter (where t.entry_id = r.redone_as) as redone
    from ledger.transfers t where t.entity_id = r.entity_id and t.entry_id in (r.entry_id, r.undone_by, r.redone_as)
  ) as legs
), entered as (
  select e.entity_id, e.record_id, e.ordinal, e.entry_id,
    jsonb_build_array(e.effective_at, e.recorded_at, e.period, e.original_period, e.kind, e.reverses, e.description, (
      select jsonb_agg(jsonb_build_array(t.debit, t.credit, t.currency, trim_scale(t.amount)::text) order by t.leg)
      from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)
    ), e.version, e.rule_version) as content
  from ledger.entries e
  where (e.stream = 'manual' or e.kind = 'manual')
    and not exists (select from returned r where r.fault is null and (r.entity_id, r.undone_by) = (e.entity_id, e.entry_id))
    and not exists (select from returned r where r.fault is null and (r.entity_id, r.redone_as) = (e.entity_id, e.entry_id))
), compared as (
  select entity_id,
    case
      when e.entry_id is null then format('proposal %s of %s was approved, and is not booked', a.proposal_id, entity_id)
      when a.proposal_id is null then format('entry %s of %s is booked without an approval', e.entry_id, entity_id)
      when a.content <> e.content then format('entry %s of %s differs from the approved proposal', e.entry_id, entity_id)
    end as fault
  from approved a
  full join entered e using (entity_id, record_id, ordinal)
  union all
  select entity_id, fault from returned
)
select count(*) as checked, count(fault) as faults, min(fault collate "C") as first
from compared;
