-- Requested streams: of which streams a run has requested something, entity by entity.
-- For: the end of a night, which proves what landed after an entity's own proof, whoever booked it. Ties to: land.requests.
--   psql -v run=<run_id> -f sql/proofs/requested_streams.sql
select e.entity_id, q.stream
from run.runs r
cross join run.entities e
cross join lateral (
  select distinct stream from land.requests q
  where q.entity_id = e.entity_id and q.request_id > r.requests_before and q.run_id = r.run_id
) as q
where r.run_id = :'run'::uuid;
