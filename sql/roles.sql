-- Who may do what, table by table: the owner everything, the loader adds, people decide, the analyst reads the books.
-- For: whoever must know what a role can do. Ties to: test/database/roles/refusals.txt, which is what comes of it when tried.
-- Run by every migrate that recreates the views, in the same transaction; all is taken away first, then given.
--   psql -f sql/roles.sql
revoke all on schema run, land, ledger, reconcile, decide, value, books, books_internal
  from public, tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
revoke all on all tables in schema run, land, ledger, reconcile, decide, value, books, books_internal
  from public, tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
revoke all on all sequences in schema run, land, ledger, reconcile, decide, value, books, books_internal
  from public, tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
revoke all on all functions in schema run, land, ledger, reconcile, decide, value, books, books_internal
  from public, tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;

-- Everybody who is somebody here reads the books, and the owner of the views reads the tables for them.
-- The functions of books, and the reports, read books_internal with the rights of whoever calls them.
grant usage on schema books, books_internal to tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
grant select on all tables in schema books, books_internal to tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;
grant execute on all functions in schema books, books_internal
  to tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;

-- The loader sees what it landed, but not the people: it writes them down and never asks for them.
grant usage on schema run, land, ledger, reconcile, decide, value to tieout_loader;
grant select on all tables in schema run, land, ledger, reconcile, decide, value to tieout_loader;
revoke select on land.people from tieout_loader;
revoke select on run.writer_lock from tieout_loader; -- nobody locks it but through run.lock_books
grant execute on function ledger.renew_statistics(double precision), value.renew_statistics(double precision), value.lots_left(text),
  reconcile.paired_since(bigint, bigint) to tieout_loader;
grant select on sequence ledger.entries_entry_number_seq, land.requests_request_id_seq to tieout_loader; -- where a run begins

grant execute on function run.lock_books(), run.join_books(), run.take_over(), run.hold(bigint), run.hold(bigint, integer) to tieout_loader;
revoke select on run.budgets, run.openings, run.sends from tieout_loader; -- the request gate: through its functions alone
grant execute on function run.open_budget(text, text, uuid), run.know_gateway(text, text), run.hold_budget(text, integer, boolean, bigint),
  run.take_request(text, text, integer, integer, integer, timestamptz, bigint, bigint[], bigint[], uuid, bigint, boolean) to tieout_loader;

-- What PostgreSQL lets everybody do, until a superuser takes it away in this database; another owner cannot, and migrates without it.
-- Processes of a night claim entities by advisory locks, whose keys anybody can compute. Large objects, which stay, and messages to the
-- log fill the disk, from a login that may write nothing else. A database that was restored without its roles has lost what they may:
-- so both are looked at.
do $$
declare
  guarded record;
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    for guarded in
      select p.oid::regprocedure as routine, rule.keepers
      from pg_proc p
      cross join lateral (select case when p.proname ~ 'advisory' then '{tieout_loader,tieout_approver}' else '{}' end::text[] as keepers) as rule
      where p.pronamespace = 'pg_catalog'::regnamespace
        and p.proname ~ '^(pg_(try_)?advisory_(xact_)?lock.*|lo_creat|lo_create|lo_from_bytea|pg_logical_emit_message)$'
        and (has_function_privilege('public', p.oid, 'execute')
          or exists (select from unnest(rule.keepers) as keeper where not has_function_privilege(keeper, p.oid, 'execute')))
    loop
      execute format('revoke execute on function %s from public', guarded.routine);
      if guarded.keepers <> '{}' then
        execute format('grant execute on function %s to %s', guarded.routine, array_to_string(guarded.keepers, ', '));
      end if;
    end loop;
  end if;
end $$;

-- The loader adds runs with their findings, requests with what they returned, entries, and results of comparisons.
grant insert on run.runs, run.findings, run.entities, run.listings, run.conservation, run.nights, run.verdicts, run.links to tieout_loader;
grant insert on run.hints, run.listening to tieout_loader; -- the listener, beside a run
grant insert on run.tasks to tieout_loader;
grant insert, delete on run.workers to tieout_loader;
grant update (ended_at, result, failure, requests) on run.tasks to tieout_loader;
grant insert on land.requests, land.records, land.people, land.people_keys, land.held_records, land.inbox, land.coverage, land.pages, land.leaves,
  land.resume_tokens, land.snapshots, land.balances, land.pockets, land.rate_lists, land.rates,
  land.answers, land.authorizations, land.external_accounts, land.external_statements, land.external_lines, land.external_withdrawals to tieout_loader;
grant insert on ledger.entries, ledger.transfers, ledger.daily, ledger.totals, ledger.outcomes, ledger.restatements, ledger.returns
  to tieout_loader;
grant insert on reconcile.tie_outs, reconcile.breaks, reconcile.break_events, reconcile.candidates, reconcile.confirmations,
  reconcile.confirmation_lines, reconcile.confirmation_year_lines, reconcile.external_matches to tieout_loader;
grant insert on reconcile.clearing_matches, reconcile.clearing_days, reconcile.own_transfers, reconcile.own_days,
  reconcile.paired_totals, reconcile.lows to tieout_loader;

-- Values are derived: what they are derived from moves, and they are made again.
grant insert, delete on value.postings, value.monthly, value.lots, value.open_lots, value.uses, value.findings, value.months, value.sources to tieout_loader;
grant select on sequence reconcile.clearing_matches_position_seq, reconcile.own_transfers_position_seq to tieout_loader; -- how far values and files have seen pairs

-- What must change, column by column: how a run ended, what the first entry fixed, where a certificate stands, where a
-- walk goes on, what a day sums to, and what has become of a break. The resume token and the inbox empty themselves.
grant update (finished_at, exit_code, requests, pages, pages_fewest, summary, position) on run.runs to tieout_loader;
grant update (gateway_user_id, timezone, currency, fiscal_year_start, platform_class, full_read_at, named_to) on run.entities to tieout_loader;
grant update (event, hinted_at) on run.hints to tieout_loader;
grant update (connected_since, seen_at) on run.listening to tieout_loader;
grant update (covered, newest_at, landed, records_sum, page_seal, leaf_seal) on land.coverage to tieout_loader;
grant update (debit, credit) on ledger.daily, ledger.totals to tieout_loader;
grant update (debit, credit, unmatched) on reconcile.clearing_days to tieout_loader;
grant update (debit, credit, addresses, lone) on reconcile.own_days to tieout_loader;
grant update (debit, credit, addresses) on reconcile.paired_totals to tieout_loader;
grant update (through_day, debit, credit, days_below, first_below, lowest, lowest_on) on reconcile.lows to tieout_loader;
grant update (outcome, reason, final, rule_version) on ledger.outcomes to tieout_loader; -- decided again by a changed rule
grant update (token, saved_at), delete on land.resume_tokens to tieout_loader;
grant delete on land.inbox to tieout_loader;
grant update (reported, booked, difference, status, reason, reason_parts, resolved_at, run_id, since, assigned_to, explanation,
  explained_by, explained_records, resolved_by, tied_run_id, diverged_at, diverged_after) on reconcile.breaks to tieout_loader;

-- People: one prepares what is to be decided and seals months, another approves it, enters what was approved, and may
-- open a month again. What either wrote stays.
grant usage on schema run, decide, land, ledger, reconcile to tieout_preparer, tieout_approver;
grant execute on function run.hold(bigint), run.hold(bigint, integer) to tieout_preparer, tieout_approver; -- they write under a run's fence
grant select on all tables in schema decide to tieout_preparer, tieout_approver;
grant select on ledger.entries, ledger.transfers to tieout_preparer, tieout_approver;
grant select (entity_id, request_id) on land.requests to tieout_preparer, tieout_approver;
grant insert on decide.proposals, decide.seals, decide.seal_leaves, decide.seal_files, decide.seal_values,
  decide.seal_closings to tieout_preparer;
grant insert on decide.batches, decide.batch_lines, decide.batch_copies to tieout_preparer;
grant select on reconcile.breaks to tieout_preparer;
grant update (status, assigned_to, explanation, explained_by, explained_records, resolved_at, resolved_by) on reconcile.breaks
  to tieout_preparer; -- and no tied_run_id: that it ties, only a run says
grant insert on reconcile.break_events to tieout_preparer;
grant execute on function ledger.hold_still() to tieout_preparer; -- while it seals
grant insert on decide.approvals, decide.seal_approvals, decide.reopenings, decide.duties to tieout_approver;
grant insert on decide.waivers, decide.dismissals, decide.profiles, decide.external_lots, decide.lot_choices, decide.counterparty_files,
  decide.counterparty_rules, decide.counterparty_accounts, decide.charts, decide.chart_lines, decide.chart_classes,
  decide.label_files, decide.labels, decide.budgets, decide.value_acceptances to tieout_approver;
grant select, insert on land.official_files, land.official_rates to tieout_approver; -- rates that a person handed in
grant insert on reconcile.break_events to tieout_approver; -- that a break was waived
grant insert on ledger.entries, ledger.transfers, ledger.daily, ledger.totals to tieout_approver;
grant select, update (debit, credit) on ledger.daily, ledger.totals to tieout_approver;
grant select, insert on ledger.returns to tieout_approver;

-- The approver alone asks for people: to erase them, or to keep them on hold. What was decided about them stays.
grant select on run.entities, land.records to tieout_approver;
grant select (entity_id, delivery_number, received_at, transaction_id) on land.authorizations to tieout_approver; -- how old a request is
grant select (entity_id, account_name, line_number, booked_on) on land.external_lines to tieout_approver; -- how old a line is
grant select, delete on land.people to tieout_approver;
grant select, insert on land.people_keys, land.erasures, land.erased_records, land.holds, land.hold_releases, land.held_records to tieout_approver;
grant execute on function ledger.renew_statistics(double precision) to tieout_approver;

-- No role adds entries to a closed month or to another role's stream: the loader adds records, the approver adds
-- people's decisions. Only the owner is exempt, and verify ledger names what the owner changed. A transaction with an older
-- snapshot does not see a seal made since, so it may not add entries. Legs have a trigger: ledger.refuse_late_legs.
drop policy if exists reading on ledger.entries;
drop policy if exists records on ledger.entries;
drop policy if exists decisions on ledger.entries;
create policy reading on ledger.entries for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy records on ledger.entries for insert to tieout_loader with check (
  current_setting('transaction_isolation') = 'read committed'
  and stream <> 'manual' and period > coalesce((select c.through from books_internal.closed_through c where c.entity_id = entries.entity_id), '')
);
create policy decisions on ledger.entries for insert to tieout_approver with check (
  current_setting('transaction_isolation') = 'read committed'
  and stream = 'manual' and period > coalesce((select c.through from books_internal.closed_through c where c.entity_id = entries.entity_id), '')
);

-- The one who approves is another than the one who prepared, unless the setting in force lets one person do both. What changes
-- money or tax without an entry is added with the approval of a proposal for it, and not without.
drop policy if exists reading on decide.approvals;
drop policy if exists approving on decide.approvals;
create policy reading on decide.approvals for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy approving on decide.approvals for insert to tieout_approver with check (
  duties_version is null or coalesce((
    select d.is_one_person and d.version = approvals.duties_version from books_internal.duties d order by d.version desc limit 1
  ), false)
);

-- When people decided is read from the database's clock, in the transaction that stores it: nobody dates a decision before what it
-- decides on, or ahead.
do $$
declare
  kind record;
begin
  for kind in select * from (values
    ('decide.proposals', 'prepared_at', 'tieout_preparer'), ('decide.approvals', 'approved_at', 'tieout_approver'),
    ('decide.seals', 'sealed_at', 'tieout_preparer'), ('decide.seal_approvals', 'approved_at', 'tieout_approver'),
    ('decide.reopenings', 'at', 'tieout_approver'), ('decide.duties', 'at', 'tieout_approver'),
    ('land.erasures', 'at', 'tieout_approver'), ('land.holds', 'at', 'tieout_approver'),
    ('land.hold_releases', 'at', 'tieout_approver')
  ) as decision (place, instant, person) loop
    execute format('drop policy if exists dated on %s', kind.place);
    execute format('create policy dated on %s as restrictive for insert to %s
      with check (%I between now() and clock_timestamp())', kind.place, kind.person, kind.instant);
  end loop;
  for kind in select * from (values
    ('decide.proposals', 'tieout_preparer'), ('decide.duties', 'tieout_approver'), ('land.erasures', 'tieout_approver'),
    ('land.holds', 'tieout_approver'), ('land.hold_releases', 'tieout_approver')
  ) as decision (place, person) loop
    execute format('drop policy if exists reading on %s', kind.place);
    execute format('drop policy if exists adding on %s', kind.place);
    execute format('create policy reading on %s for select to tieout_loader, tieout_preparer, tieout_approver using (true)', kind.place);
    execute format('create policy adding on %s for insert to %s with check (true)', kind.place, kind.person);
  end loop;
end $$;
-- Views, runs and lists read every proposal, and nobody but the owner takes one back: a content that they cannot read would stop them all.
drop policy if exists readable on decide.proposals;
create policy readable on decide.proposals as restrictive for insert to tieout_preparer with check (
  content_sha256 = encode(sha256(convert_to(content, 'UTF8')), 'hex') and exists (
    select from (select content::jsonb as c offset 0) as parsed
    where c ->> 'action' = action and coalesce(c ->> 'version', '1') ~ '^[0-9]{1,9}$' and not exists (
      select from unnest(case action
        when 'open' then '{legs,lots}' when 'adjust' then '{legs}' when 'settle' then '{legs}' when 'reverse' then '{legs}'
        when 'lots' then '{lots}' when 'choose' then '{choices}' when 'counterparties' then '{rules,accounts}' when 'rates' then '{days}'
        when 'profiles' then '{wanted}' when 'chart' then '{lines,classes}' when 'labels' then '{labels}' else '{}'
      end::text[]) as list
      where jsonb_typeof(c -> list) is distinct from 'array'
    ) and not exists ( -- every value is text or null, and the items of a list have one form
      select from unnest(array[
        '$.** ? (@.type() == "number" || @.type() == "boolean")', '$.wanted[*] ? (!exists (@.profile.type() ? (@ == "object")))',
        'strict $.legs[*] ? (@.type() <> "array" || @.size() <> 4)', 'strict $.choices[*] ? (@.type() <> "array" || @.size() <> 6)',
        case action when 'lots' then 'strict $.lots[*] ? (@.type() <> "array" || @.size() <> 6)' else 'strict $.lots[*] ? (@.type() <> "object")' end,
        'strict $.accounts[*] ? (@.type() <> "array" || @.size() <> 3)', 'strict $.days[*] ? (@.type() <> "string")',
        'strict $.rules[*] ? (@.type() <> "object")', 'strict $.lines[*] ? (@.type() <> "object")',
        'strict $.classes[*] ? (@.type() <> "object")', 'strict $.labels[*] ? (@.type() <> "object")'
      ]::jsonpath[]) as wrong
      where jsonb_path_exists(c, wrong, '{}', true)
    )
  )
);
do $$
declare
  kind record;
begin
  for kind in select * from (values
    ('decide.waivers', 'waive', 'entity_id'), ('decide.dismissals', 'dismiss', 'entity_id'), ('decide.external_lots', 'lots', 'entity_id'),
    ('decide.lot_choices', 'choose', 'entity_id'),
    ('decide.profiles', 'profiles', 'proposal_entity'), ('decide.counterparty_files', 'counterparties', 'proposal_entity'),
    ('decide.charts', 'chart', 'proposal_entity'), ('decide.label_files', 'labels', 'proposal_entity'),
    ('decide.budgets', 'budget', 'entity_id'), ('decide.value_acceptances', 'accept', 'entity_id'),
    ('land.official_files', 'rates', 'entity_id')
  ) as decision (place, action, entity) loop
    execute format('drop policy if exists reading on %s', kind.place);
    execute format('drop policy if exists approved on %s', kind.place);
    execute format('create policy reading on %s for select to tieout_loader, tieout_preparer, tieout_approver using (true)', kind.place);
    execute format('create policy approved on %s for insert to tieout_approver with check (exists (
      select from books.proposals p
      where (p.entity_id, p.proposal_id, p.action, p.verdict) = (%s.%I, %s.proposal_id, %L, ''approved'')
    ))', kind.place, split_part(kind.place, '.', 2), kind.entity, split_part(kind.place, '.', 2), kind.action);
  end loop;
end $$;

-- A seal is for a month that is over and comes after those closed; what it holds is written before it, and not after.
drop policy if exists reading on decide.seals;
drop policy if exists sealing on decide.seals;
drop policy if exists reading on decide.seal_leaves;
drop policy if exists sealing on decide.seal_leaves;
drop policy if exists reading on decide.seal_files;
drop policy if exists sealing on decide.seal_files;
drop policy if exists reading on decide.seal_values;
drop policy if exists sealing on decide.seal_values;
drop policy if exists reading on decide.seal_closings;
drop policy if exists sealing on decide.seal_closings;
create policy reading on decide.seals for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy sealing on decide.seals for insert to tieout_preparer with check (
  current_setting('transaction_isolation') = 'read committed'
  and period > coalesce((select c.through from books_internal.closed_through c where c.entity_id = seals.entity_id), '')
  and period < to_char(now() at time zone coalesce(
    (select n.timezone from books.entities n where n.entity_id = seals.entity_id), 'UTC'), 'YYYY-MM')
);
create policy reading on decide.seal_leaves for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy sealing on decide.seal_leaves for insert to tieout_preparer with check (
  current_setting('transaction_isolation') = 'read committed'
  and not exists (
    select from decide.seals s
    where (s.entity_id, s.period, s.seal_number) = (seal_leaves.entity_id, seal_leaves.period, seal_leaves.seal_number)
  )
);
create policy reading on decide.seal_files for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy sealing on decide.seal_files for insert to tieout_preparer with check (
  current_setting('transaction_isolation') = 'read committed'
  and not exists (
    select from decide.seals s
    where (s.entity_id, s.period, s.seal_number) = (seal_files.entity_id, seal_files.period, seal_files.seal_number)
  )
);
create policy reading on decide.seal_values for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy sealing on decide.seal_values for insert to tieout_preparer with check (
  current_setting('transaction_isolation') = 'read committed'
  and not exists (
    select from decide.seals s
    where (s.entity_id, s.period, s.seal_number) = (seal_values.entity_id, seal_values.period, seal_values.seal_number)
  )
);
create policy reading on decide.seal_closings for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy sealing on decide.seal_closings for insert to tieout_preparer with check (
  current_setting('transaction_isolation') = 'read committed'
  and not exists (
    select from decide.seals s
    where (s.entity_id, s.period, s.seal_number) = (seal_closings.entity_id, seal_closings.period, seal_closings.seal_number)
  )
);

-- Nobody puts a name under a seal that was reopened: it would read as if the close had been approved.
drop policy if exists reading on decide.seal_approvals;
drop policy if exists approving on decide.seal_approvals;
create policy reading on decide.seal_approvals for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy approving on decide.seal_approvals for insert to tieout_approver with check (
  current_setting('transaction_isolation') = 'read committed'
  and not exists (
    select from decide.reopenings o
    where (o.entity_id, o.period, o.seal_number) = (seal_approvals.entity_id, seal_approvals.period, seal_approvals.seal_number)
  )
);

-- Only the last closed month is opened again, as of the last request by then: that number decides what is late.
drop policy if exists reading on decide.reopenings;
drop policy if exists reopening on decide.reopenings;
create policy reading on decide.reopenings for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy reopening on decide.reopenings for insert to tieout_approver with check (
  current_setting('transaction_isolation') = 'read committed'
  and period = (select c.through from books_internal.closed_through c where c.entity_id = reopenings.entity_id)
  and requests_to = (select coalesce(max(q.request_id), 0) from land.requests q)
);

-- A batch has the number after the last of its entity and year; its lines are written before it, all that it counts, and not after.
drop policy if exists reading on decide.batches;
drop policy if exists handing on decide.batches;
drop policy if exists reading on decide.batch_lines;
drop policy if exists handing on decide.batch_lines;
create policy reading on decide.batches for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy handing on decide.batches for insert to tieout_preparer with check (
  current_setting('transaction_isolation') = 'read committed'
  and batch_number = 1 + coalesce((
    select max(b.batch_number) from books.batches b
    where (b.entity_id, b.year) = (batches.entity_id, batches.year)
  ), 0)
  and (lines, entries) = (
    select count(*), count(distinct l.ordinal) from decide.batch_lines l
    where (l.entity_id, l.year, l.batch_number) = (batches.entity_id, batches.year, batches.batch_number)
  )
  and not exists ( -- a line of an entry that is not in the books, or an entry that does not balance: no later batch could correct it
    select from decide.batch_lines l
    left join ledger.entries e on (e.entity_id, e.entry_id, e.stream, e.record_id) = (l.entity_id, l.entry_id, l.stream, l.record_id)
    where (l.entity_id, l.year, l.batch_number) = (batches.entity_id, batches.year, batches.batch_number)
    group by l.ordinal
    having bool_or(e.entry_id is null) or count(distinct l.entry_id) > 1 or sum(l.value) <> 0
  )
);
create policy reading on decide.batch_lines for select to tieout_loader, tieout_preparer, tieout_approver using (true);
create policy handing on decide.batch_lines for insert to tieout_preparer with check (
  current_setting('transaction_isolation') = 'read committed'
  and not exists (
    select from decide.batches b
    where (b.entity_id, b.year, b.batch_number) = (batch_lines.entity_id, batch_lines.year, batch_lines.batch_number)
  )
);

-- A person's step on a break belongs to the run at work, is dated with it, and has a name: only runs add events without one.
drop policy if exists reading on reconcile.break_events;
drop policy if exists comparing on reconcile.break_events;
drop policy if exists of_run on reconcile.break_events;
drop policy if exists working on reconcile.break_events;
drop policy if exists waiving on reconcile.break_events;
create policy reading on reconcile.break_events for select to tieout_loader using (true);
create policy comparing on reconcile.break_events for insert to tieout_loader with check (true);
create policy of_run on reconcile.break_events as restrictive for insert to tieout_preparer, tieout_approver with check (
  by_name is not null and (run_id, at) = (
    select r.run_id, r.started_at from books.runs r where r.finished_at is null and r.run_number = (select max(run_number) from books.runs)
  )
);
create policy working on reconcile.break_events for insert to tieout_preparer with check (status in ('assigned', 'explained', 'resolved'));
create policy waiving on reconcile.break_events for insert to tieout_approver with check (status = 'waived');

-- Nobody makes anything in public, as on a new PostgreSQL; everybody may come in, but makes no temporary tables, which no limit of
-- temporary files counts: they fill the disk. Each where it is ours to say.
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
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
exception when insufficient_privilege then null;
end $$;
