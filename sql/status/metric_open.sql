-- Open items as metrics: the gaps and the undecided rejects of each entity.
-- For: the metrics of Prometheus. Ties to: books.coverage_gaps and books.rejects.
--   psql -f sql/status/metric_open.sql
select e.entity_id as entity, coalesce(g.gaps, 0) as gaps, coalesce(r.rejects, 0) as rejects
from run.entities e
left join (select entity_id, count(*) as gaps from books.coverage_gaps group by entity_id) as g using (entity_id)
left join (
  select entity_id, count(*) as rejects from books.rejects where decision is null group by entity_id
) as r using (entity_id)
order by e.entity_id collate "C";
