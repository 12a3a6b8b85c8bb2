-- Late: the entries of a closed month that are posted in a later one.
-- For: restate. Ties to: prior_period in the trial balance of the months after.
--   psql -v entity=main -v period=2026-10 -f sql/seal/late.sql
select e.entity_id, e.entry_id, e.effective_at, e.period, e.kind, e.stream, e.record_id, e.description
from books.entries e
where e.entity_id = :'entity' and e.original_period = :'period'
order by e.effective_at, e.entry_id;
