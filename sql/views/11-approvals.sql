-- What people prepare and approve: proposals, manual entries, rejects settled or dismissed.
-- For: auditors; the close.
--   psql -f sql/views/11-approvals.sql

-- Whether one person may prepare and approve, version by version; without any version, two people are needed.
create view books_internal.duties as
select version, is_one_person, by_name as set_by, reason, at as set_at from decide.duties;

-- The limits on the value of waived breaks and value findings in a month of an entity; the last version is in force.
create view books_internal.budgets as
select b.entity_id, b.version, b.ceiling, b.by_name as prepared_by, b.reason, b.at as approved_at, b.proposal_id, a.approved_by
from decide.budgets b
join decide.approvals a using (entity_id, proposal_id);

create view books.proposals as
select p.entity_id, p.proposal_id, p.action, coalesce(a.verdict, 'waiting') as verdict, c ->> 'effective_at' as effective_at,
  c ->> 'description' as description, c -> 'legs' as legs, c ->> 'stream' as stream, c ->> 'record_id' as record_id,
  (c ->> 'version')::int as version, c ->> 'reverses' as reverses, p.reason, p.evidence_name, p.evidence_sha256, p.prepared_by,
  p.prepared_at, a.approved_by, a.approved_at, a.reason as verdict_reason, p.content, p.content_sha256, c ->> 'period' as period,
  a.duties_version
from decide.proposals p
cross join lateral (
  select case when p.action not in ('rates', 'lots', 'counterparties', 'profiles', 'chart', 'labels') then p.content::jsonb end as c
) as parsed
left join decide.approvals a using (entity_id, proposal_id);
comment on view books.proposals is
  'One row per proposal: what one person prepared and another approves or refuses.';
comment on column books.proposals.action is 'What is proposed: open, adjust, settle, reverse, dismiss, waive, profiles, lots and others.';
comment on column books.proposals.verdict is 'waiting, approved or refused.';
comment on column books.proposals.effective_at is 'Effective date of the proposed entry, as text; null if it books none.';
comment on column books.proposals.description is 'Description of the proposed entry; null if it books none.';
comment on column books.proposals.legs is 'Legs of the proposed entry as JSON: [debit, credit, currency, amount] each; null if it books none.';
comment on column books.proposals.stream is 'Stream of the record that it is about; null if about none.';
comment on column books.proposals.record_id is 'Record that it is about; null if about none.';
comment on column books.proposals.version is 'Version of that record; null if about none.';
comment on column books.proposals.reverses is 'Entry that it would reverse; null if none.';
comment on column books.proposals.reason is 'Reason given by the preparer.';
comment on column books.proposals.verdict_reason is 'Reason given by the approver; null if none.';
comment on column books.proposals.content is 'The whole proposal as canonical JSON; approval covers exactly this text.';
comment on column books.proposals.content_sha256 is 'SHA-256 of content, in hex.';
comment on column books.proposals.period is 'Month that a waiver, budget or acceptance is for; null for an entry.';
comment on column books.proposals.duties_version is 'Setting under which one person both prepared and approved; null if two people did.';

create view books.manual_entries as
select e.entity_id, e.entry_id, e.effective_at, e.posted_at, e.period, e.original_period, e.kind, p.action, p.proposal_id,
  e.description, p.reason, p.evidence_name, p.evidence_sha256, p.prepared_by, p.prepared_at, p.approved_by, p.approved_at,
  p.stream as about_stream, p.record_id as about_record_id, e.reverses, u.entry_id as reversed_by, (
    select string_agg(format('%s <- %s %s %s', t.debit, t.credit, trim_scale(t.amount), t.currency), '; ' order by t.leg)
    from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)
  ) as legs
from books.proposals p
join books.entries e on (e.entity_id, e.stream, e.record_id, e.kind) = (
  p.entity_id, 'manual', case p.action when 'reverse' then p.record_id else p.proposal_id end,
  case p.action when 'reverse' then 'reversal' else 'manual' end
)
left join ledger.entries u on (u.entity_id, u.stream, u.record_id, u.ordinal) = (e.entity_id, 'manual', e.record_id, e.ordinal + 1)
  and u.reverses = e.entry_id
where p.verdict = 'approved' and p.action in ('open', 'adjust', 'settle', 'reverse') and not exists ( -- a reopening posts it again
  select from ledger.entries later
  where (later.entity_id, later.stream, later.record_id, later.kind) = (e.entity_id, e.stream, e.record_id, e.kind)
    and later.ordinal > e.ordinal
);
comment on view books.manual_entries is
  'One row per entry that people made, with who prepared and approved it and the evidence.';
comment on column books.manual_entries.action is 'open, adjust, settle or reverse.';
comment on column books.manual_entries.reason is 'Reason given by the preparer.';
comment on column books.manual_entries.about_stream is 'Stream of the record that the entry settles, or of the own transfer whose fee it is; null if none.';
comment on column books.manual_entries.about_record_id is 'Record that the entry settles, or that of the own transfer whose fee it is; null if none.';
comment on column books.manual_entries.reversed_by is 'Entry that reverses this one; null if it stands.';
comment on column books.manual_entries.legs is 'Legs as text: debit <- credit amount currency; separated by semicolons.';

-- Rejects that people closed: settled by an entry that is not reversed, or dismissed.
create view books_internal.reject_decisions as
select m.entity_id, p.stream, p.record_id, p.version, 'settled' as decision, m.prepared_by as decided_by,
  m.reason as decision_reason, m.approved_at as decided_at
from books.manual_entries m
join books.proposals p using (entity_id, proposal_id)
where m.action = 'settle' and m.reversed_by is null
union all
select d.entity_id, d.stream, d.record_id, d.version, 'dismissed', d.by_name, d.reason, d.at
from decide.dismissals d
where not exists (
  select from books.manual_entries m
  join books.proposals p using (entity_id, proposal_id)
  where (m.entity_id, p.stream, p.record_id, p.version) = (d.entity_id, d.stream, d.record_id, d.version)
    and m.action = 'settle' and m.reversed_by is null
);

create view books.rejects as
select o.entity_id, o.stream, o.record_id, o.reason, books_internal.masked(r.payload) as payload, o.version, r.record_at, r.landed_at,
  d.decision, d.decided_by, d.decision_reason, d.decided_at,
  case o.stream
    when 'wallet-transactions' then coalesce(books_internal.instant_of(r.payload::jsonb ->> 'completedAt'), r.record_at)
    else r.record_at
  end as effective_at
from ledger.outcomes o
join books_internal.latest_records r using (entity_id, stream, record_id, version)
left join books_internal.reject_decisions d using (entity_id, stream, record_id, version)
where o.outcome = 'rejected';
comment on view books.rejects is
  'One row per record whose latest version no rule accepts. A decided reject stays here but no longer counts for exit codes or a close.';
comment on column books.rejects.reason is 'Why no rule accepts it.';
comment on column books.rejects.payload is 'JSON as received, personal fields blanked.';
comment on column books.rejects.record_at is 'The record''s own time; null if it cannot be read.';
comment on column books.rejects.decision is 'settled (an entry books it) or dismissed; null if nobody decided.';
comment on column books.rejects.decided_by is 'Who decided; null if nobody did.';
comment on column books.rejects.decision_reason is 'Reason given for the decision; null if nobody decided.';
comment on column books.rejects.decided_at is 'When it was decided; null if nobody did.';
comment on column books.rejects.effective_at is 'When it took effect, by the record''s own times; null if they cannot be read.';

-- What became of each approval: the rows that it is to store, and those stored. wanted is null for an entry, of which stored is 1 or 0.
-- A night counts them; of a file of rates only the file itself, because it may have a history of every day.
create view books_internal.approval_effects as
with approved as (
  select p.entity_id, p.proposal_id, p.action, p.content, a.approved_by, a.approved_at, a.period is not null as is_in_month
  from decide.approvals a
  join decide.proposals p using (entity_id, proposal_id)
  where a.verdict = 'approved'
), stored as (
  select entity_id, proposal_id, count(*) as stored
  from (
    select entity_id, proposal_id from decide.waivers
    union all select entity_id, proposal_id from decide.dismissals
    union all select entity_id, proposal_id from decide.budgets
    union all select entity_id, proposal_id from decide.value_acceptances
    union all select entity_id, proposal_id from decide.lot_choices
    union all select entity_id, proposal_id from decide.external_lots
    union all select proposal_entity, proposal_id from decide.profiles
    union all select proposal_entity, proposal_id from decide.counterparty_files
    union all select proposal_entity, proposal_id from decide.counterparty_files join decide.counterparty_rules using (version)
    union all select proposal_entity, proposal_id from decide.counterparty_files join decide.counterparty_accounts using (version)
    union all select proposal_entity, proposal_id from decide.charts
    union all select proposal_entity, proposal_id from decide.charts join decide.chart_lines using (version)
    union all select proposal_entity, proposal_id from decide.charts join decide.chart_classes using (version)
    union all select proposal_entity, proposal_id from decide.label_files
    union all select proposal_entity, proposal_id from decide.label_files join decide.labels using (version)
    union all select entity_id, proposal_id from land.official_files
  ) as r
  group by 1, 2
), counted as (
  select a.*, case a.action
      when 'open' then null when 'adjust' then null when 'settle' then null when 'reverse' then null
      when 'lots' then json_array_length(c -> 'lots')
      when 'choose' then json_array_length(c -> 'choices')
      when 'profiles' then json_array_length(c -> 'wanted')
      when 'counterparties' then 1 + json_array_length(c -> 'rules') + json_array_length(c -> 'accounts')
      when 'chart' then 1 + json_array_length(c -> 'lines') + json_array_length(c -> 'classes')
      when 'labels' then 1 + json_array_length(c -> 'labels')
      else 1
    end as wanted,
    case
      when a.action in ('open', 'adjust', 'settle') then (
        select count(*) from ledger.entries e where (e.entity_id, e.stream, e.record_id, e.ordinal) = (a.entity_id, 'manual', a.proposal_id, 1)
      )
      when a.action = 'reverse' then (
        select count(*) from ledger.entries e
        where (e.entity_id, e.stream, e.record_id, e.reverses) = (a.entity_id, 'manual', c ->> 'record_id', (c ->> 'reverses')::uuid)
      )
      else s.stored
    end as stored
  from approved a
  cross join lateral (select a.content::json as c) as parsed
  left join stored s using (entity_id, proposal_id)
)
select entity_id, proposal_id, action, approved_by, approved_at, is_in_month, wanted, coalesce(stored, 0) as stored from counted;

-- Manual entries that nothing approved: neither the proposal that they are of, nor one to reverse what they reverse, nor a reopening, which
-- undoes an earlier entry of the chain or posts it again with the same legs.
create view books_internal.unapproved_entries as
select e.entity_id, e.entry_id, e.record_id, e.recorded_at
from ledger.entries e
where e.stream = 'manual' and not exists (
  select from decide.approvals a
  where (a.entity_id, a.proposal_id, a.verdict) = (e.entity_id, e.record_id, 'approved') and e.ordinal = 1
) and not exists (
  select from books.proposals p
  where (p.entity_id, p.action, p.verdict) = (e.entity_id, 'reverse', 'approved') and p.reverses = e.reverses::text
) and not exists (
  select from ledger.returns r
  join ledger.entries late using (entity_id, entry_id)
  cross join lateral (select r.undone_by = e.entry_id as is_undoing) as role
  where r.entity_id = e.entity_id and e.entry_id in (r.undone_by, r.redone_as)
    and (late.stream, late.record_id, late.effective_at) = (e.stream, e.record_id, e.effective_at)
    and late.ordinal < e.ordinal and (late.kind = e.kind) <> is_undoing
    and not exists (
      select from (
        select t.leg, case when is_undoing then t.credit else t.debit end as debit, case when is_undoing then t.debit else t.credit end as credit,
          t.currency, t.amount
        from ledger.transfers t where (t.entity_id, t.entry_id) = (late.entity_id, late.entry_id)
      ) as wanted
      full join (select * from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)) as there
        using (leg, debit, credit, currency, amount)
      where wanted is null or there is null
    )
);
