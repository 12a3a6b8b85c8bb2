-- Clean nights: when each entity's last clean night began; null where it never had one.
-- For: tieout status. Ties to: books.nights. Clean, as it was when the night ended: the night came to its end, whatever became of others in
-- it, compared the entity, reported no finding, and left no break that was not waived, no reject that nobody had decided, and no gap.
--   psql -f sql/status/clean_nights.sql
select n.entity_id, night.began_at as clean_at
from books.entities n
left join lateral (
  select w.began_at
  from run.verdicts v
  join run.nights w using (entity_id, run_id)
  join run.runs r using (run_id)
  where v.entity_id = n.entity_id and v.verdict = 'clean'
    and exists (select from reconcile.tie_outs t where (t.run_id, t.entity_id) = (r.run_id, n.entity_id))
  order by r.run_number desc
  limit 1
) as night on true
order by n.entity_id collate "C";
