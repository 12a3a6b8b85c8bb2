-- Standing conservation: an entity's last proof by a run that ended, if it still stands for a run that booked nothing of the entity:
-- nothing was landed or booked between the two, no record was left undecided, and no pocket was listed for the first time since.
-- No rows otherwise: then all records are read.
-- For: normalize, in a night. Ties to: books_internal.run_conservation; conservation.sql gives the same rows.
--   psql -v entity=main -v run=<run_id> -f sql/proofs/standing_conservation.sql
with last as (
  select c.run_id, c.reading, r.run_number
  from run.conservation c join run.runs r using (run_id)
  where c.entity_id = :'entity' and c.run_id <> :'run'::uuid and r.exit_code in (0, 1) order by c.position desc limit 1
), since as (
  select count(distinct (n.entries_before, n.requests_before)) as states
  from run.runs n
  join last on n.run_number > last.run_number and n.run_number <= (select run_number from run.runs where run_id = :'run'::uuid)
)
select entity_id, :'run'::uuid as run_id, 1 as reading, stream, rule_version, landed, booked, rejected, set_aside, sums::text
from run.conservation join last using (run_id, reading), since
where entity_id = :'entity' and since.states = 1 and not exists (
  select from run.conservation undecided join last using (run_id, reading)
  where undecided.entity_id = :'entity' and undecided.rule_version = 0
) and not exists (
  select from land.pockets p
  where p.entity_id = :'entity' and p.first_listed_at > (
    select coalesce(max(s.taken_at), '-infinity') from land.snapshots s join last using (run_id)
    where s.entity_id = :'entity' and s.product = 'pocket'
  )
);
