-- Late nights: the entities without a finished night that began in the last :max_age seconds, and when their last one began.
-- A night that was skipped because nothing had changed is finished; one that failed, for the entity or as a whole, is not. A subaccount that
-- the gateway no longer lists does not count, and neither does any other entity than :entity, unless that is empty.
-- A night begins for an entity when its lists are read, which may be long after its run began: only a run that has ended since can hold one.
-- A night of a time that has not come, from before the clock was set back, says nothing about the nights since, and does not count either.
-- For: tieout status --check. Ties to: books.nights.
--   psql -v max_age=93600 -v entity= -f sql/status/late_nights.sql
with recent as (
  select run_id from run.runs
  where job = 'nightly' and books_internal.has_concluded(exit_code, summary)
    and finished_at > clock_timestamp() - make_interval(secs => :'max_age'::int)
)
select e.entity_id, past.began_at, extract(epoch from clock_timestamp() - past.began_at)::int as age_seconds
from books_internal.listed_entities e
left join lateral (
  select n.began_at from run.nights n join run.runs r using (run_id)
  where n.entity_id = e.entity_id and books_internal.has_concluded(r.exit_code, r.summary)
  order by r.run_number desc limit 1
) as past on true
where (:'entity' = '' or e.entity_id = :'entity')
  and not exists (
    select from run.nights n join recent using (run_id)
    where n.entity_id = e.entity_id
      and n.began_at > clock_timestamp() - make_interval(secs => :'max_age'::int) and n.began_at <= clock_timestamp()
  )
order by past.began_at nulls first, e.entity_id collate "C";
