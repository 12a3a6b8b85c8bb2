-- migrate:up
-- Runs: what each execution of a job did and found, the entities whose books these are, the right to write, and the links that
-- chain what each run wrote. Who may do what is in sql/roles.sql, which every migrate may run again.
create schema run;

-- A run. run_number is the order in which runs began; entries_before and requests_before say after which entry and which
-- request it began. What a run landed and booked follows from these numbers, never from a clock, which may be wrong or set
-- back. position is its place among the rows that are chained; a run has one once it is over.
create table run.runs (
  run_id uuid primary key,
  job text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  exit_code smallint,
  requests integer not null default 0,
  pages integer not null default 0,
  pages_fewest integer not null default 0,
  summary text,
  run_number bigint not null generated always as identity unique,
  entries_before bigint not null default 0,
  requests_before bigint not null default 0,
  position bigint unique
);

-- A problem that a run reports. A finding makes the run end with 1; a note does not.
create table run.findings (
  entity_id text not null,
  run_id uuid not null references run.runs,
  finding_id bigint generated always as identity,
  severity text not null check (severity in ('finding', 'note')),
  subject text not null,
  detail text not null,
  primary key (entity_id, run_id, finding_id)
);
create index findings_in_order on run.findings using brin (finding_id);

-- An entity: one set of books. The first entry fixes timezone, currency and the month in which fiscal years begin; the first
-- answer that names the gateway's user fixes that. Every list was last read from its start at full_read_at. What records name,
-- such as an order or an address, is requested up to the records of request named_to.
create table run.entities (
  entity_id text primary key,
  name text not null,
  subaccount_id text,
  gateway_user_id text,
  timezone text,
  currency text,
  first_seen_at timestamptz not null,
  full_read_at timestamptz,
  named_to bigint,
  position bigint not null generated always as identity,
  fiscal_year_start smallint not null default 1 check (fiscal_year_start between 1 and 12),
  platform_class text
);

-- The subaccounts that the gateway listed to the key of entity_id; a row whenever the list is another one than before.
create table run.listings (
  entity_id text not null,
  listing_id bigint generated always as identity,
  run_id uuid not null references run.runs,
  listed_at timestamptz not null,
  subaccounts text[] not null,
  primary key (entity_id, listing_id)
);

-- What a run proved after booking: landed = booked + rejected + set aside, per stream and rule version, by count, by the sum
-- of the ids' hashes, and by sum per side and currency (`sums`, amounts as text). A night that reads again proves again: the
-- last reading counts. Rule version 0: no rule has decided yet.
create table run.conservation (
  entity_id text not null,
  run_id uuid not null references run.runs,
  reading integer not null,
  stream text not null,
  rule_version integer not null,
  landed integer not null,
  booked integer not null,
  rejected integer not null,
  set_aside integer not null,
  sums jsonb not null,
  position bigint not null generated always as identity,
  primary key (entity_id, run_id, reading, stream, rule_version)
);
create index conservation_in_order on run.conservation using brin (position);

-- A nightly's visit to an entity. began_at is the start of its last reading, by the database's clock. lists_run_id is the run that
-- read every list and compared the books: this run, or an earlier one if the lists were skipped because nothing had changed since.
-- reason says why the lists were read; null if they were skipped.
create table run.nights (
  entity_id text not null,
  run_id uuid not null references run.runs,
  began_at timestamptz not null,
  lists_run_id uuid not null references run.runs,
  reason text,
  position bigint not null generated always as identity,
  primary key (entity_id, run_id),
  check ((reason is null) = (lists_run_id <> run_id))
);
create index nights_in_order on run.nights using brin (position);

-- What a nightly that came to its end found for each of its entities, as it was then: what is decided, proved or waived later changes
-- no verdict.
create table run.verdicts (
  entity_id text not null,
  run_id uuid not null references run.runs,
  verdict text not null check (verdict in ('clean', 'findings', 'failed', 'skipped')),
  position bigint not null generated always as identity,
  primary key (entity_id, run_id)
);
create index verdicts_in_order on run.verdicts using brin (position);

-- The last event of the notification socket about each entity: a hint to read it first, never evidence.
create table run.hints (
  entity_id text primary key,
  event text not null,
  hinted_at timestamptz not null
);

-- The connection of a main account's listener: open without a break since connected_since (null: not open), and known to be
-- open at seen_at. All times are the database's.
create table run.listening (
  entity_id text primary key,
  connected_since timestamptz,
  seen_at timestamptz not null
);

-- Links: at the end of each run the rows that it wrote are digested and chained, table by table and entity by entity, so that
-- nothing on which a figure rests can be altered, inserted or removed unseen. src/run/covers.ts says how each table is covered.
-- A link of a chain covers the rows after the one before it, up to last_position; a column `position` is the order in which
-- rows were written, where no other column is. A link of a state covers all rows of a part as they stood, and has no
-- last_position; mark is what the part was derived from. columns are the columns digested.
create table run.links (
  position bigint not null generated always as identity unique,
  entity_id text not null,
  table_name text not null,
  part text not null default '',
  link_number integer not null check (link_number > 0),
  run_id uuid not null references run.runs,
  columns text[] not null,
  rows bigint not null,
  last_position bigint,
  mark text,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  link text not null check (link ~ '^[0-9a-f]{64}$'),
  primary key (entity_id, table_name, part, link_number)
);

create index links_by_table on run.links (table_name, entity_id, part, link_number);

-- One writer: every writing transaction of a run checks that no later run has taken the books since. Only roles that write may
-- call these functions; they take no text. Nothing is ever written to the table: whoever holds its lock may write the books. A
-- table needs a privilege, an advisory lock needs none.
create table run.writer_lock (is_lock boolean);

-- The writer's lock, until the transaction ends. Waits as long as an automatic vacuum may need to step aside.
create function run.lock_books() returns void
language sql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
  lock table run.writer_lock in exclusive mode
$$;

-- A share of the books, until the transaction ends: for the processes of one run. No other run begins meanwhile.
create function run.join_books() returns void
language sql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
  lock table run.writer_lock in share mode
$$;

-- Waits for the transactions of earlier runs, so that none of them commits after the next run's number is given.
create function run.take_over() returns void
language sql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '60s' as $$
  lock table run.runs in exclusive mode
$$;

-- Holds a run's right to write until the transaction ends; an error if a later run has taken the books.
create function run.hold(held bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  lock table run.runs in row exclusive mode;
  if held is distinct from (select max(run_number) from run.runs) then
    raise exception using errcode = '55T01', message = 'a later run has taken these books over';
  end if;
end
$$;

-- The same for a process whose share or lock of the books the session `holder` has: an error too once that session has ended, since then
-- another process may have taken its part. Its own end of a lost connection tells it nothing.
create function run.hold(held bigint, holder integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform run.hold(held);
  if not exists (
    select from pg_locks l
    where l.pid = holder and l.locktype = 'relation' and l.relation = 'run.writer_lock'::regclass and l.granted
      and l.database = (select oid from pg_database where datname = current_database())
  ) then
    raise exception using errcode = '55T02', message = 'the session that held these books has ended';
  end if;
end
$$;
revoke execute on function run.lock_books(), run.join_books(), run.take_over(), run.hold(bigint), run.hold(bigint, integer) from public;

-- The entities of a night that several processes share, one job each. result says how it ended: its lists were read or skipped, the
-- gateway does not know it, or it failed: by a ban of the key, which stops all of them, or otherwise. requests were sent for it. The
-- transaction that ends the last one starts the last step.
create table run.tasks (
  entity_id text not null,
  run_id uuid not null references run.runs,
  ended_at timestamptz,
  result text check (result in ('read', 'skipped', 'unknown', 'failed', 'banned')),
  failure text,
  requests integer not null default 0,
  primary key (entity_id, run_id),
  check ((result is null) = (ended_at is null))
);
create index tasks_of_run on run.tasks (run_id);

-- The processes that run scheduled jobs. Each holds an advisory lock on its id for as long as it lives: one whose lock is free is
-- gone, and the jobs that it had taken are freed. schedule is the SHA-256 of its crontab.
create table run.workers (
  worker_id text primary key,
  host text not null,
  pid integer not null,
  schedule text not null,
  writes_files boolean not null,
  started_at timestamptz not null default clock_timestamp()
);

-- The request budget of one API key, shared by every process and host that sends with it: the gateway that the key belongs to,
-- until when nothing may be sent, when a process last opened it, when the gateway banned the key, and the last nonce, in milliseconds
-- of the gateway's clock. budget_id is the SHA-256 of the key. Sends and held_until have the budget's own time, which is clock_ahead
-- behind the clock of this database: so a clock that is set forward forgets no send. is_known: false until the gateway takes the key.
-- Openings and bans have an order alone: each
-- opening is later than all openings and bans before it, and no ban is earlier than an opening before it, whatever the clock says.
create table run.budgets (
  budget_id text primary key check (budget_id ~ '^[0-9a-f]{64}$'),
  gateway text not null,
  held_until timestamptz not null default '-infinity',
  opened_at timestamptz not null default '-infinity',
  banned_at timestamptz not null default '-infinity',
  last_nonce bigint not null default 0,
  clock_ahead interval not null default '0',
  is_known boolean not null default true
);

-- When a run first opened a budget: a process that joins the run later hears of every ban since.
create table run.openings (
  budget_id text not null references run.budgets,
  run_id uuid not null,
  opened_at timestamptz not null,
  primary key (budget_id, run_id)
);

-- The log of what was sent in the last minute. counts_at is the latest time at which the request can have arrived; null while its
-- answer is awaited. account may send per_second requests in any second; both are null where the operation has no such limit.
-- remaining: how many requests its list still needed, with this one, if that is known.
create table run.sends (
  budget_id text not null references run.budgets,
  send_id bigint generated always as identity,
  account text,
  per_second integer,
  remaining integer,
  sent_at timestamptz not null,
  counts_at timestamptz,
  primary key (budget_id, send_id)
);

-- What a minute keeps free, at most half, for accounts that use up their own limit second after second and whose lists take longer than
-- the budget takes for all such lists, as a budget of one process does (reserved in src/gateway/minute-shares.ts).
create function run.reserved_requests(key_digest text, a_minute integer, right_now timestamptz) returns integer
language sql stable set search_path = pg_catalog, pg_temp as $$
  with saturated as (
    select per_second * 60 as per_minute, coalesce((array_agg(remaining order by send_id desc))[1], per_second * 60)::numeric as remaining
    from run.sends
    where budget_id = key_digest and account is not null and coalesce(counts_at, right_now) > right_now - interval '3 seconds'
    group by account, per_second
    having count(*) >= 2 * per_second
  )
  select least(coalesce(sum(least(s.remaining, s.per_minute)), 0), a_minute / 2)::integer
  from (select *, sum(remaining) over () as total from saturated) as s
  where s.remaining / s.per_minute > 1.25 * s.total / a_minute
$$;

-- Opens the budget of a key and returns when the run first opened it; an error if another gateway has taken the key: an address that
-- never did was a slip, and gives way, but what was sent there counts. A stand-in on loopback has another port each time. A run lasts 30 days at most (TIEOUT_RUN_HOURS).
create function run.open_budget(key_digest text, origin text, for_run uuid) returns timestamptz
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  local constant text := '^http://(127\.0\.0\.1|localhost|\[::1\])(:|$)';
  known text;
  opened timestamptz;
begin
  insert into run.budgets (budget_id, gateway, is_known) values (key_digest, origin, false) on conflict do nothing;
  update run.budgets b
  set gateway = case when b.is_known then b.gateway else origin end,
    opened_at = greatest(clock_timestamp(), greatest(b.opened_at, b.banned_at) + interval '1 microsecond')
  where b.budget_id = key_digest returning b.gateway, b.opened_at into strict known, opened;
  if known <> origin and not (known ~ local and origin ~ local) then
    raise exception using errcode = '55T03', message = known;
  end if;
  delete from run.openings o where o.budget_id = key_digest and o.opened_at < opened - interval '31 days';
  insert into run.openings as o (budget_id, run_id, opened_at) values (key_digest, for_run, opened)
  on conflict (budget_id, run_id) do update set opened_at = o.opened_at returning o.opened_at into strict opened;
  return opened;
end
$$;

-- The gateway took the key: from now on the budget is that of this gateway.
create function run.know_gateway(key_digest text, origin text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update run.budgets b set is_known = true where b.budget_id = key_digest and b.gateway = origin and not b.is_known
$$;

-- Counts sends whose answer is reported, which ended so many milliseconds ago by the clock of the process that sent them, and drops those
-- of more than a minute ago. A send without an answer counts as now, and after two seconds as then, because its process may have been
-- killed; the process itself counts it as now (src/gateway/budget.ts).
create function run.settle_sends(key_digest text, right_now timestamptz, answered bigint[], answered_ms_ago bigint[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  travel constant interval := '2 seconds';
  minute constant interval := '60.25 seconds';
begin
  update run.sends s set counts_at = right_now - ended.ms_ago * interval '1 millisecond'
  from unnest(answered, answered_ms_ago) as ended (send_id, ms_ago)
  where s.budget_id = key_digest and s.send_id = ended.send_id;
  update run.sends s set counts_at = s.sent_at + travel
  where s.budget_id = key_digest and s.counts_at is null and s.sent_at < right_now - travel;
  update run.sends s set sent_at = right_now, counts_at = right_now -- the clock was set back
  where s.budget_id = key_digest and s.sent_at > right_now;
  delete from run.sends s where s.budget_id = key_digest and s.counts_at < right_now - minute;
end
$$;

-- When the next request may leave, by the sends that count: at most a_minute in any 60 seconds, and a_second in any second and account, with
-- a margin for a gateway whose clock runs faster. A request has a way to go too, so the second of an account is shorter by half of the
-- shortest time that its requests took of late. Requests without a limit of their own leave free what a minute keeps for accounts with one, and
-- ask again soon whether it still does. Null if nothing holds it up.
create function run.free_at(key_digest text, for_account text, a_minute integer, a_second integer, right_now timestamptz) returns timestamptz
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  minute constant interval := '60.25 seconds';
  reserved_again constant interval := '1 second';
  answers_min constant integer := 10;
  second interval := '1.003 seconds';
begin
  second := second - (
    select case when count(*) >= answers_min then least(greatest(min(s.counts_at - s.sent_at) / 2, '0'), '1 second') else '0' end
    from run.sends s
    where s.budget_id = key_digest and s.account = for_account and s.counts_at is not null
  );
  return greatest(
    (
      select coalesce(s.counts_at, right_now) + minute from run.sends s
      where s.budget_id = key_digest and coalesce(s.counts_at, right_now) > right_now - minute
      order by coalesce(s.counts_at, right_now) desc offset a_minute - 1 limit 1
    ),
    (
      select coalesce(s.counts_at, right_now) + second from run.sends s
      where a_second is not null and s.budget_id = key_digest and s.account = for_account
        and coalesce(s.counts_at, right_now) > right_now - second
      order by coalesce(s.counts_at, right_now) desc offset a_second - 1 limit 1
    ),
    (
      select least(coalesce(s.counts_at, right_now) + minute, right_now + reserved_again) from run.sends s
      where a_second is null and s.budget_id = key_digest and s.account is null
        and coalesce(s.counts_at, right_now) > right_now - minute
      order by coalesce(s.counts_at, right_now) desc
      offset a_minute - run.reserved_requests(key_digest, a_minute, right_now) - 1 limit 1
    )
  );
end
$$;

-- Counts one request, or says how long to wait for it (run.free_at). `answered` are earlier requests that have ended (run.settle_sends). The
-- clock of the process is never set, and carries the budget's time on: from `budget_ms`, the time that it must be at least. If this
-- database is far ahead of that, the claim was slow, or the clock was set forward: then there is no answer but the time, until the process,
-- which knows how long its claim took, says that the clock `was_set`. A ban after `opened_at` forbids every request. It counts for the run
-- too, if that is one of this database: so a process that is killed leaves its count behind.
create function run.take_request(
  key_digest text, for_account text, a_minute integer, a_second integer, remaining integer, opened_at timestamptz, gateway_ms bigint,
  answered bigint[], answered_ms_ago bigint[], for_run uuid, budget_ms bigint, was_set boolean
) returns table (wait_ms integer, send_id bigint, nonce bigint, is_banned boolean, right_now_ms bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ahead_max constant interval := '2 seconds';
  nonce_window constant bigint := 5000;
  budget_time constant timestamptz := to_timestamp(budget_ms / 1000.0);
  budget run.budgets;
  clock timestamptz;
  right_now timestamptz;
  free_at timestamptz;
begin
  select * into strict budget from run.budgets b where b.budget_id = key_digest for update;
  clock := clock_timestamp();
  right_now := greatest(clock - budget.clock_ahead, budget_time);
  if was_set and right_now > budget_time + ahead_max then right_now := budget_time; end if;
  right_now_ms := floor(extract(epoch from right_now) * 1000);
  if budget.banned_at >= opened_at then
    return query select null::integer, null::bigint, null::bigint, true, right_now_ms;
    return;
  elsif right_now > budget_time + ahead_max then
    return query select null::integer, null::bigint, null::bigint, false, right_now_ms;
    return;
  end if;
  budget.clock_ahead := extract(epoch from clock - right_now) * interval '1 second';
  budget.held_until := least(budget.held_until, right_now + interval '1 minute');
  update run.budgets b set clock_ahead = budget.clock_ahead, held_until = budget.held_until
  where b.budget_id = key_digest and (b.clock_ahead <> budget.clock_ahead or b.held_until <> budget.held_until);
  perform run.settle_sends(key_digest, right_now, answered, answered_ms_ago);
  free_at := greatest(budget.held_until, run.free_at(key_digest, for_account, a_minute, a_second, right_now));
  if free_at > right_now then
    return query select ceil(extract(epoch from free_at - right_now) * 1000)::integer, null::bigint, null::bigint, false, right_now_ms;
    return;
  end if;
  -- A stored nonce beyond the gateway's window came from a wrong clock: it was refused, and must not hold the others up.
  nonce := case when budget.last_nonce > gateway_ms + nonce_window then gateway_ms
    else greatest(budget.last_nonce + 1, gateway_ms) end;
  update run.budgets b set last_nonce = nonce where b.budget_id = key_digest;
  insert into run.sends as s (budget_id, account, per_second, remaining, sent_at)
  values (key_digest, case when a_second is not null then for_account end, a_second, remaining, right_now)
  returning s.send_id into send_id;
  update run.runs r set requests = r.requests + 1 where r.run_id = for_run and r.finished_at is null;
  wait_ms := 0;
  is_banned := false;
  return next;
end
$$;

-- Nothing is sent for a while (a minute at most); or, after a ban, nothing by any process that had opened the budget by then.
-- `budget_ms` carries the budget's time on as in run.take_request: a clock that was set back since then shortens no wait.
create function run.hold_budget(key_digest text, hold_ms integer, is_ban boolean, budget_ms bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update run.budgets b
  set held_until = greatest(
      b.held_until,
      greatest(clock_timestamp() - b.clock_ahead, to_timestamp(budget_ms / 1000.0)) + least(hold_ms, 60000) * interval '1 millisecond'
    ),
    banned_at = case when is_ban then greatest(clock_timestamp(), b.opened_at) else b.banned_at end
  where b.budget_id = key_digest
$$;
revoke execute on function run.open_budget(text, text, uuid), run.know_gateway(text, text), run.hold_budget(text, integer, boolean, bigint),
  run.take_request(text, text, integer, integer, integer, timestamptz, bigint, bigint[], bigint[], uuid, bigint, boolean),
  run.settle_sends(text, timestamptz, bigint[], bigint[]), run.free_at(text, text, integer, integer, timestamptz),
  run.reserved_requests(text, integer, timestamptz) from public;

-- Renews the planner's statistics of those tables that have grown by a share since theirs were renewed; pages are counted, since rows
-- cannot be counted in no time. A table that a rebuild has emptied keeps its statistics until it has been filled again. A run waits
-- for this, so that a third of the usual sample must do; the server's own maintenance takes the whole of it later.
create function run.renew_grown(tables regclass[], share double precision) returns void
language plpgsql set search_path = pg_catalog, pg_temp set default_statistics_target = 30 as $$
declare
  least_pages constant integer := 10;
  grown text;
begin
  select string_agg(name::text, ', ') into grown
  from unnest(tables) as name
  cross join lateral (
    select sum(pg_relation_size(c.oid) / current_setting('block_size')::integer) as pages, sum(greatest(c.relpages, 0)) as known
    from pg_class c
    where c.oid = name or c.oid in (select relid from pg_partition_tree(name))
  ) as size
  where size.pages - size.known >= greatest(least_pages, share * size.known);
  if grown is not null then execute 'analyze ' || grown; end if;
end
$$;
revoke execute on function run.renew_grown(regclass[], double precision) from public;

-- migrate:down
drop schema run cascade;
