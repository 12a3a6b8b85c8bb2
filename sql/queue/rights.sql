-- The loader's rights on the tables of the job queue, which its package creates with row security and no policy.
-- For: whoever must know what a worker's login may do beside the books. Ties to: jobs/queue.ts, which runs this as the owner.
--   psql -f sql/queue/rights.sql
do $$
declare
  relation name;
begin
  if to_regnamespace('tieout_queue') is null then
    return; -- no worker has run here
  end if;
  grant usage on schema tieout_queue to tieout_loader;
  grant select, insert, update, delete on all tables in schema tieout_queue to tieout_loader;
  grant usage on all sequences in schema tieout_queue to tieout_loader;
  grant execute on all functions in schema tieout_queue to tieout_loader;
  for relation in
    select c.relname from pg_class c
    where c.relnamespace = 'tieout_queue'::regnamespace and c.relrowsecurity
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'loader')
  loop
    execute format('create policy loader on tieout_queue.%I to tieout_loader using (true) with check (true)', relation);
  end loop;
end
$$;
