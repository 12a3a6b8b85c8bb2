-- Open items: what some entities have open after a run, counted, and the entries that the run booked.
-- For: the summary and the exit code of a run. Ties to: books.breaks, coverage_gaps, value_findings, findings and entries.
--   psql -v entities='{main}' -v run=<run_id> -f sql/status/open_items.sql
select
  (select count(*)::int from books.value_findings f left join books_internal.closed_through c using (entity_id)
    where f.entity_id = any(:'entities'::text[]) and f.severity = 'finding' and f.period > coalesce(c.through, '')) as unvalued,
  (select count(*)::int from books.breaks where entity_id = any(:'entities'::text[]) and status not in ('waived', 'resolved')) as breaks,
  (select count(*)::int from books.coverage_gaps where entity_id = any(:'entities'::text[])) as gaps,
  (select count(*)::int from ledger.outcomes o where entity_id = any(:'entities'::text[]) and outcome = 'rejected' and not exists (
    select from ledger.outcomes newer
    where (newer.entity_id, newer.stream, newer.record_id) = (o.entity_id, o.stream, o.record_id) and newer.version > o.version
  ) and not exists (
    select from books_internal.reject_decisions d
    where (d.entity_id, d.stream, d.record_id, d.version) = (o.entity_id, o.stream, o.record_id, o.version)
  )) as rejects,
  (select count(*)::int from run.findings where run_id = :'run'::uuid and severity = 'finding') as findings,
  (select count(*)::int from ledger.entries where entity_id = any(:'entities'::text[])
    and entry_number > (select entries_before from run.runs where run_id = :'run'::uuid)) as entries;
