-- Closed months: seals, sealed files, and the leaves that a seal covers.
-- For: auditors; verify.
--   psql -f sql/views/12-close.sql

create view books.seals as
select s.entity_id, s.period, s.seal_number, case when o.at is null then 'closed' else 'reopened' end as status, s.entries,
  s.root, encode(sha256(convert_to(s.seal, 'UTF8')), 'hex') as seal_sha256, s.prepared_by,
  coalesce(a.approved_by, 'no segregation of duties') as approved_by, s.sealed_at, a.approved_at, o.by_name as reopened_by,
  o.at as reopened_at, o.reason as reopen_reason, s.seal
from decide.seals s
left join decide.seal_approvals a using (entity_id, period, seal_number)
left join decide.reopenings o using (entity_id, period, seal_number);
comment on view books.seals is
  'One row per closed month and entity, reopened ones included.';
comment on column books.seals.seal_number is 'Number of the seal of that month: 1 for the first close, one more after each reopening.';
comment on column books.seals.status is 'closed or reopened.';
comment on column books.seals.entries is 'Number of entries sealed.';
comment on column books.seals.root is 'Root of the hash tree over the entries of the month, in the order of their ids (RFC 6962, section 2.1), in hex.';
comment on column books.seals.seal_sha256 is 'SHA-256 of seal, in hex.';
comment on column books.seals.prepared_by is 'Who closed the month.';
comment on column books.seals.approved_by is 'Who approved the close; "no segregation of duties" if one person did both.';
comment on column books.seals.sealed_at is 'When it was sealed.';
comment on column books.seals.approved_at is 'When the close was approved; null if one person did both.';
comment on column books.seals.reopened_by is 'Who reopened it; null if closed.';
comment on column books.seals.reopened_at is 'When it was reopened; null if closed.';
comment on column books.seals.reopen_reason is 'Reason given for the reopening; null if closed.';
comment on column books.seals.seal is 'Everything that was sealed, as canonical JSON.';

-- The last closed month of each entity: everything up to it is closed.
create view books_internal.closed_through as
select s.entity_id, max(s.period) as through
from decide.seals s
where not exists (
  select from decide.reopenings o where (o.entity_id, o.period, o.seal_number) = (s.entity_id, s.period, s.seal_number)
)
group by s.entity_id;

-- The entities that have closed a month, even if it was reopened.
create view books_internal.sealed_entities as
select distinct entity_id from decide.seals;

-- The reports of closed months, as sealed.
create view books_internal.sealed_files as
select f.entity_id, f.period, f.name, f.part, f.content
from decide.seal_files f
where not exists (
  select from decide.reopenings o where (o.entity_id, o.period, o.seal_number) = (f.entity_id, f.period, f.seal_number)
);

-- The leaf of each entry: SHA-256 of a zero byte and the entry as a JSON array of text.
create view books_internal.entry_leaves as
select e.entity_id, e.entry_id, e.period, sha256('\x00'::bytea || convert_to(jsonb_build_array(
  e.entity_id, e.entry_id, to_char(e.effective_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), e.period, e.original_period, e.kind, e.stream,
  e.record_id, e.version::text, e.ordinal::text, e.reverses, e.rule_version::text, e.description, (
    select jsonb_agg(jsonb_build_array(t.leg::text, t.debit, t.credit, t.currency, trim_scale(t.amount)::text) order by t.leg)
    from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)
  ))::text, 'UTF8')) as leaf
from ledger.entries e;
