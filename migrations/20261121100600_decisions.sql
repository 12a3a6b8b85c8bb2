-- migrate:up
-- What people decided, by name: proposals and what another person said to them, waived breaks, dismissed rejects.
-- None of it is derived, so no rebuild touches it; rows are added, never changed.
create schema decide;

-- content is canonical JSON of what is asked for; proposal_id begins its SHA-256, so that asking twice is asking once.
create table decide.proposals (
  entity_id text not null,
  proposal_id text not null,
  action text not null check (action in ('open', 'adjust', 'settle', 'reverse')),
  content text not null,
  reason text not null check (reason ~ '\S'),
  evidence_name text,
  evidence_sha256 text check (evidence_sha256 ~ '^[0-9a-f]{64}$'),
  prepared_by text not null check (prepared_by ~ '\S'),
  prepared_at timestamptz not null,
  primary key (entity_id, proposal_id),
  unique (entity_id, proposal_id, prepared_by)
);

-- Another person's answer. period is where the entry counts: the open month that it was given then.
create table decide.approvals (
  entity_id text not null,
  proposal_id text not null,
  verdict text not null check (verdict in ('approved', 'refused')),
  reason text,
  prepared_by text not null,
  approved_by text not null check (approved_by ~ '\S'),
  approved_at timestamptz not null,
  period text check (period ~ '^\d{4}-\d{2}$'),
  belongs_to text,
  primary key (entity_id, proposal_id),
  foreign key (entity_id, proposal_id, prepared_by) references decide.proposals (entity_id, proposal_id, prepared_by),
  check (lower(trim(approved_by)) <> lower(trim(prepared_by))),
  check ((verdict = 'approved') = (period is not null)),
  check (verdict = 'approved' or coalesce(reason, '') ~ '\S')
);

-- A rejected version that somebody looked at and that need not be booked. A later version is judged anew.
create table decide.dismissals (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  version integer not null,
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  primary key (entity_id, stream, record_id, version)
);

-- A break accepted for the close of one period, at one difference: another difference is another decision.
create table decide.waivers (
  entity_id text not null,
  waiver_id bigint generated always as identity,
  break_id text not null,
  period text not null check (period ~ '^\d{4}-\d{2}$'),
  difference numeric,
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  primary key (entity_id, break_id, waiver_id)
);

-- migrate:down
drop schema decide cascade;
