-- Clean nights: when each entity's last clean night began; null where it never had one.
-- For: tieout status. Ties to: books.runs. Clean: the night came to its end, whatever became of others in it, compared the entity,
-- reported no finding, and left no break that is not waived, no reject that nobody has decided, and no gap.
--   psql -f sql/status/clean_nights.sql
select n.entity_id, night.started_at as clean_at
from books.entities n
left join lateral (
  select r.started_at
  from books.runs r
  where r.job = 'nightly' and books_internal.has_concluded(r.exit_code, r.summary)
    and exists (select from reconcile.tie_outs t where (t.run_id, t.entity_id) = (r.run_id, n.entity_id))
    and not exists (
      select from books.findings f
      where f.run_id = r.run_id and f.severity = 'finding' and f.entity_id = n.entity_id
    )
    and not exists (
      select from books.breaks b
      where b.entity_id = n.entity_id and b.status <> 'waived' and b.found_at <= r.finished_at
        and coalesce(b.resolved_at, 'infinity') > r.finished_at
    )
    and not exists (
      select from books.rejects x
      where x.entity_id = n.entity_id and x.landed_at <= r.finished_at
        and coalesce(x.decided_at, 'infinity') > r.finished_at
    )
    and not exists (select from books.coverage_gaps g where g.entity_id = n.entity_id and g.gap_to <= r.finished_at)
  order by r.run_number desc
  limit 1
) as night on true
order by n.entity_id collate "C";
