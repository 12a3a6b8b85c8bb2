-- migrate:up
-- What a loader that may only add needs: tie-outs of which every reading stays, and somebody who renews the planner's
-- figures for it. Who may do what is in sql/roles.sql, which every migrate may run again.

-- A night reads again what moved while it was read: each comparison of a run is a reading, and the last one counts.
alter table reconcile.tie_outs add column reading smallint not null default 1 check (reading > 0);
alter table reconcile.tie_outs drop constraint tie_outs_pkey;
alter table reconcile.tie_outs add primary key (entity_id, run_id, account, currency, reading);

-- ANALYZE is for a table's owner alone, and skips the tables of others with no more than a warning.
create function ledger.renew_statistics() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  analyze land.records, land.pages, land.requests, ledger.entries, ledger.transfers, ledger.outcomes
$$;
revoke execute on function ledger.renew_statistics() from public;

-- migrate:down
drop function ledger.renew_statistics();
delete from reconcile.tie_outs t where exists (
  select from reconcile.tie_outs later
  where (later.entity_id, later.run_id) = (t.entity_id, t.run_id) and later.reading > t.reading
);
alter table reconcile.tie_outs drop constraint tie_outs_pkey;
alter table reconcile.tie_outs drop column reading;
alter table reconcile.tie_outs add primary key (entity_id, run_id, account, currency);
