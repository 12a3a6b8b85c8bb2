-- Breaks as metrics: open ones by severity, their number and the sum of their values, each in the reporting currency of its
-- entity. A break without a value counts in the number alone.
-- For: the metrics of Prometheus. Ties to: books.breaks.
--   psql -f sql/status/metric_breaks.sql
select b.severity, coalesce(n.currency, '') as currency, count(*) as breaks, coalesce(sum(abs(b.value)), 0) as value
from books.breaks b
left join run.entities n using (entity_id)
where b.status not in ('waived', 'resolved')
group by b.severity, n.currency
order by b.severity, n.currency collate "C";
