-- Clean nights: when each entity's last clean night began; null where it never had one.
-- For: tieout status. Ties to: books.runs. Clean, as it was when the night ended: the night came to its end, whatever became of others in
-- it, compared the entity, reported no finding, and left no break that was not waived, no reject that nobody had decided, and no gap.
--   psql -f sql/status/clean_nights.sql
select n.entity_id, night.started_at as clean_at
from books.entities n
left join lateral (
  select r.started_at
  from run.verdicts v
  join run.runs r using (run_id)
  where v.entity_id = n.entity_id and v.verdict = 'clean'
    and exists (select from reconcile.tie_outs t where (t.run_id, t.entity_id) = (r.run_id, n.entity_id))
  order by r.run_number desc
  limit 1
) as night on true
order by n.entity_id collate "C";
