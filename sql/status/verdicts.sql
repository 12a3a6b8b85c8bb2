-- Verdicts: what a nightly found for each of its entities: failed, findings, skipped or clean, with the open items counted and
-- the time up to which all of its lists are proved.
-- For: nightly --json, and the notice after a night. Ties to: the exit code of the run.
--   psql -v run=<run_id> -f sql/status/verdicts.sql
with visit as (
  select entity_id, bool_or(is_skipped) as is_skipped, bool_or(is_failed) as is_failed
  from (
    select entity_id, lists_run_id <> run_id as is_skipped, false as is_failed from run.nights where run_id = :'run'::uuid
    union all
    select entity_id, false, true from run.findings where run_id = :'run'::uuid and severity = 'finding' and subject = 'failed'
  ) as either
  group by entity_id
), open_break as (
  select entity_id, count(*)::int as breaks from books.breaks where status not in ('waived', 'resolved') group by entity_id
), gap as (
  select entity_id, count(*)::int as gaps from books.coverage_gaps group by entity_id
), undecided as (
  select entity_id, count(*)::int as rejects from books.rejects where decision is null group by entity_id
), finding as (
  select entity_id, count(*)::int as findings from run.findings
  where run_id = :'run'::uuid and severity = 'finding' group by entity_id
), proved as (
  select entity_id, case when bool_and(watermark is not null) then min(watermark) end as watermark
  from books_internal.watermarks group by entity_id
)
select v.entity_id,
  case
    when v.is_failed then 'failed'
    when coalesce(b.breaks, g.gaps, u.rejects, f.findings) is not null then 'findings'
    when v.is_skipped then 'skipped'
    else 'clean'
  end as verdict,
  coalesce(b.breaks, 0) as breaks, coalesce(g.gaps, 0) as gaps, coalesce(u.rejects, 0) as rejects,
  coalesce(f.findings, 0) as findings, p.watermark
from visit v
left join open_break b using (entity_id)
left join gap g using (entity_id)
left join undecided u using (entity_id)
left join finding f using (entity_id)
left join proved p using (entity_id)
order by v.entity_id collate "C";
