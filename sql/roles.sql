-- Who may do what, table by table: the owner everything, the loader adds, the others read the books.
-- For: whoever must know what a role can do. Ties to: test/roles/refusals.txt, which is what comes of it when tried.
-- Run by every migrate that recreates the views, in the same transaction; all is taken away first, then given.
--   psql -f sql/roles.sql
revoke all on schema run, land, ledger, reconcile, books
  from public, tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
revoke all on all tables in schema run, land, ledger, reconcile, books
  from public, tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
revoke all on all sequences in schema run, land, ledger, reconcile, books
  from public, tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
revoke all on all functions in schema run, land, ledger, reconcile, books
  from public, tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;

-- Everybody who is somebody here reads the books, and the owner of the views reads the tables for them.
grant usage on schema books to tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
grant select on all tables in schema books to tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
grant execute on all functions in schema books to tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;

-- The loader sees what it landed, but not the people: it writes them down and never asks for them.
grant usage on schema run, land, ledger, reconcile to tieout_loader;
grant select on all tables in schema run, land, ledger, reconcile to tieout_loader;
revoke select on land.people from tieout_loader;
grant execute on function ledger.renew_statistics() to tieout_loader;

-- It adds: what was asked and told, what came of it, what was found.
grant insert on run.runs, run.findings, run.entities to tieout_loader;
grant insert on land.requests, land.records, land.people, land.people_keys, land.inbox, land.coverage, land.pages, land.leaves,
  land.resume_tokens, land.snapshots, land.balances, land.pockets to tieout_loader;
grant insert on ledger.entries, ledger.transfers, ledger.outcomes to tieout_loader;
grant insert on reconcile.tie_outs, reconcile.breaks, reconcile.break_events to tieout_loader;

-- What must change, column by column: how a run ended, what the first entry fixed, where a certificate stands, where a
-- walk goes on, and what has become of a break. The resume token and the inbox empty themselves.
grant update (finished_at, exit_code, requests, pages, pages_fewest, summary) on run.runs to tieout_loader;
grant update (gateway_user_id, timezone, currency, full_read_at) on run.entities to tieout_loader;
grant update (covered, newest_at, landed, records_sum, page_seal, leaf_seal) on land.coverage to tieout_loader;
grant update (token, saved_at), delete on land.resume_tokens to tieout_loader;
grant delete on land.inbox to tieout_loader;
grant update (reported, booked, difference, status, reason, resolved_at, run_id) on reconcile.breaks to tieout_loader;

-- Nobody makes anything in public, as on a new PostgreSQL; everybody may come in. Each where it is ours to say.
do $$
begin
  revoke create on schema public from public;
exception when insufficient_privilege then null;
end $$;
do $$
begin
  execute format('grant connect on database %I to tieout_loader, tieout_analyst, tieout_preparer, tieout_approver', current_database());
exception when insufficient_privilege then null;
end $$;
