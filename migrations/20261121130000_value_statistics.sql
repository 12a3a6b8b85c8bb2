-- migrate:up
-- The planner's figures of what values are made of, for the role that makes them: a month that was just derived is unknown to
-- the planner, and a report over it took minutes.
create function value.renew_statistics() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  analyze land.rates, value.postings, value.lots, value.uses, value.findings
$$;
revoke execute on function value.renew_statistics() from public;

-- migrate:down
drop function value.renew_statistics();
