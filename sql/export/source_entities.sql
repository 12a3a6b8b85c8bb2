-- The entities of a database with what several databases must have in common, their last night and comparison, and what is open.
-- For: tieout consolidate. Ties to: books.profiles, books.breaks, books.rejects and books.coverage_gaps.
--   psql -f sql/export/source_entities.sql
select p.entity_id, p.taxpayer, p.owner, n.currency, n.timezone, n.fiscal_year_start,
  (select max(v.began_at) from books.nights v where v.entity_id = p.entity_id) as last_night_at,
  (select c.compared_at from books_internal.last_compared c where c.entity_id = p.entity_id) as compared_at,
  (select count(*) from books.breaks b where b.entity_id = p.entity_id and b.status not in ('waived', 'resolved')) as breaks,
  (select count(*) from books.rejects x where x.entity_id = p.entity_id and x.decision is null) as rejects,
  (select count(*) from books.coverage_gaps g where g.entity_id = p.entity_id) as gaps
from books.profiles p
join books.entities n using (entity_id)
order by p.entity_id collate "C";
