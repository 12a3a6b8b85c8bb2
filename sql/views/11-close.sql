-- Closed months: seals, sealed files, and the leaves that a seal covers.
-- For: auditors; verify.
--   psql -f sql/views/11-close.sql

-- Closed months, and those opened again. root is that of a hash tree over the entries of the period (RFC 6962, section
-- 2.1), in the order of their ids; the seal is all that was sealed, as canonical JSON.
create view books.seals as
select s.entity_id, s.period, s.seal_number, case when o.at is null then 'closed' else 'reopened' end as status, s.entries,
  s.root, encode(sha256(convert_to(s.seal, 'UTF8')), 'hex') as seal_sha256, s.prepared_by,
  coalesce(a.approved_by, 'no segregation of duties') as approved_by, s.sealed_at, a.approved_at, o.by_name as reopened_by,
  o.at as reopened_at, o.reason as reopen_reason, s.seal
from decide.seals s
left join decide.seal_approvals a using (entity_id, period, seal_number)
left join decide.reopenings o using (entity_id, period, seal_number);

-- The last closed month of each entity: everything up to it is closed.
create view books_internal.closed_through as
select entity_id, max(period) as through from books.seals where status = 'closed' group by entity_id;

-- The reports of closed months as they were sealed.
create view books_internal.sealed_files as
select f.entity_id, f.period, f.name, f.part, f.content
from decide.seal_files f
where not exists (
  select from decide.reopenings o where (o.entity_id, o.period, o.seal_number) = (f.entity_id, f.period, f.seal_number)
);

-- The leaf of each entry: SHA-256 of a zero byte and the entry as a JSON array, everything in it as text.
create view books_internal.entry_leaves as
select e.entity_id, e.entry_id, e.period, sha256('\x00'::bytea || convert_to(jsonb_build_array(
  e.entity_id, e.entry_id, to_char(e.effective_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), e.period, e.belongs_to, e.kind, e.stream,
  e.record_id, e.version::text, e.ordinal::text, e.reverses, e.rule_version::text, e.description, (
    select jsonb_agg(jsonb_build_array(t.leg::text, t.debit, t.credit, t.currency, trim_scale(t.amount)::text) order by t.leg)
    from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)
  ))::text, 'UTF8')) as leaf
from ledger.entries e;
