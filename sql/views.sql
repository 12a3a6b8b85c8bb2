-- The analysts' interface: schema books, dropped and recreated whole on every migrate.
-- For: ad hoc SQL, reports, outside checks. Columns are added, never renamed; balances are debit positive.
--   psql -f sql/views.sql
drop schema if exists books cascade;
create schema books;

-- An amount as the gateway wrote it, or null where it is not one.
create function books.amount_of(value text) returns numeric language sql immutable strict parallel safe
return case when length(value) < 1000 and value ~ '^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$' then value::numeric end;

-- An instant as the gateway wrote it, or null where it is not one.
create function books.instant_of(value text) returns timestamptz language plpgsql stable strict parallel safe as $$
begin
  if value !~ '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$' then return null; end if;
  return value::timestamptz;
exception when others then return null;
end $$;

-- A payload with the places of personal fields left blank: no exported byte depends on a commitment.
create function books.masked(payload text) returns text language sql immutable strict parallel safe
return regexp_replace(payload, '"personal:[0-9a-f]{64}"', '"(personal)"', 'g');

create view books.entities as
select entity_id, name, subaccount_id, timezone, currency, first_seen_at from run.entities;

create view books.runs as
select run_id, job, started_at, finished_at, exit_code, requests, summary, pages, pages_fewest,
  round(pages::numeric / nullif(pages_fewest, 0), 3) as pages_ratio
from run.runs;

create view books.findings as
select run_id, entity_id, severity, subject, detail from run.findings;

create view books.entries as
select entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, reverses, description,
  ordinal, rule_version
from ledger.entries;

create view books.postings as
select e.entity_id, e.entry_id, t.leg, side.account, t.currency, side.amount, e.effective_at, e.period, e.kind, e.stream,
  e.record_id, e.recorded_at
from ledger.entries e
join ledger.transfers t using (entity_id, entry_id)
cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount);

create view books.balances as
select entity_id, account, currency, trim_scale(sum(amount)) as balance
from (
  select entity_id, debit as account, currency, amount from ledger.transfers
  union all
  select entity_id, credit, currency, -amount from ledger.transfers
) as posting
group by entity_id, account, currency
having sum(amount) <> 0;

create function books.balances_at(as_of timestamptz)
returns table (entity_id text, account text, currency text, balance numeric) language sql stable parallel safe as $$
  select p.entity_id, p.account, p.currency, trim_scale(sum(p.amount))
  from books.postings p
  where p.effective_at < as_of
  group by p.entity_id, p.account, p.currency
  having sum(p.amount) <> 0
$$;

-- The latest version of each landed record, and what became of it.
create view books.records as
select r.entity_id, r.stream, r.record_id, r.version, r.scope, r.record_at, r.landed_at, r.payload,
  case o.outcome when 'set-aside' then 'set aside: ' || o.reason else coalesce(o.outcome, 'not yet normalized') end as outcome,
  o.reason
from land.records r
left join ledger.outcomes o using (entity_id, stream, record_id, version)
where not exists (
  select from land.records newer
  where (newer.entity_id, newer.stream, newer.record_id) = (r.entity_id, r.stream, r.record_id) and newer.version > r.version
);

create view books.movements as
select r.entity_id, r.record_id, r.version, j ->> 'walletId' as wallet_id, books.amount_of(j ->> 'amount') as amount,
  j ->> 'currency' as currency, j ->> 'movementType' as movement_type, j ->> 'serviceOrderName' as origin,
  j ->> 'status' as status, books.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'movements';

create view books.trades as
select r.entity_id, r.record_id, r.version, j ->> 'orderId' as order_id, j ->> 'symbol' as symbol, j ->> 'side' as side,
  j ->> 'orderType' as order_type, books.amount_of(j ->> 'price') as price, j ->> 'priceCurrency' as price_currency,
  books.amount_of(j ->> 'amount') as amount, j ->> 'amountCurrency' as amount_currency,
  books.amount_of(j ->> 'cost') as cost, books.amount_of(j ->> 'costEuro') as cost_euro,
  books.amount_of(j ->> 'feeAmount') as fee_amount, j ->> 'feeCurrency' as fee_currency,
  books.amount_of(j ->> 'feePercentage') as fee_percentage, (j ->> 'isMaker') = 'true' as is_maker,
  books.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'trades';

create view books.wallet_transactions as
select r.entity_id, r.record_id, r.version, j ->> 'type' as type, j ->> 'subtype' as subtype, j ->> 'method' as method,
  j ->> 'status' as status, books.instant_of(j ->> 'date') as date,
  books.instant_of(j ->> 'completedAt') as completed_at, books.instant_of(j ->> 'canceledAt') as canceled_at,
  j #>> '{origin,class}' as origin_class, j #>> '{origin,pocketId}' as origin_pocket_id,
  j #>> '{origin,currency}' as origin_currency, books.amount_of(j #>> '{origin,amount}') as origin_amount,
  j #>> '{destination,class}' as destination_class, j #>> '{destination,pocketId}' as destination_pocket_id,
  j #>> '{destination,currency}' as destination_currency,
  books.amount_of(j #>> '{destination,amount}') as destination_amount,
  books.amount_of(j #>> '{destination,amountAfterFees}') as destination_amount_after_fees,
  books.amount_of(j #>> '{denomination,amount}') as denomination_amount,
  j #>> '{denomination,currency}' as denomination_currency, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'wallet-transactions';

create view books.earn_movements as
select r.entity_id, r.record_id, r.version, r.scope as wallet_id, j ->> 'type' as type,
  books.amount_of(j #>> '{amount,value}') as amount, j #>> '{amount,currency}' as currency,
  books.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'earn-movements';

create view books.rejects as
select entity_id, stream, record_id, reason, books.masked(payload) as payload, version, record_at, landed_at
from books.records
where outcome = 'rejected';

-- Landed = booked + rejected + set aside, per stream; undecided is 0 whenever no stage is at work.
create view books.conservation as
select entity_id, stream, count(*) as landed, count(*) filter (where outcome = 'booked') as booked,
  count(*) filter (where outcome = 'rejected') as rejected, count(*) filter (where outcome like 'set aside%') as set_aside,
  count(*) filter (where outcome = 'not yet normalized') as undecided
from books.records
group by entity_id, stream;

create view books.coverage as
select c.entity_id, c.stream, lower(stretch) as covered_from, upper(stretch) as covered_to,
  (
    select count(distinct r.record_id) from land.records r
    where (r.entity_id, r.stream, r.scope) = (c.entity_id, c.stream, c.scope)
      and r.record_at >= lower(stretch) and r.record_at < upper(stretch)
  ) as records,
  c.scope
from land.coverage c cross join lateral unnest(c.covered) as stretch;

create view books.coverage_gaps as
select entity_id, stream, lower(gap) as gap_from, upper(gap) as gap_to, scope
from land.coverage
cross join lateral unnest(tstzmultirange(tstzrange(lower(covered), upper(covered))) - covered) as gap;

create view books.tie_outs as
select run_id, entity_id, account, currency, as_of, reported, booked, difference, status, reason from reconcile.tie_outs;

create view books.breaks as
select break_id, entity_id, check_name, subject, account, currency, reported, booked, difference, status, reason, opened_at,
  resolved_at, run_id
from reconcile.breaks;

-- What was erased of people, without what was asked for; and what is on hold, until when.
create view books.erasures as
select entity_id, erasure_id, at, by_name, reason, asked_for, retention_years, records_erased, fields_erased,
  kept_by_retention, kept_by_hold, first_may_go_at, last_may_go_at
from land.erasures;

create view books.holds as
select h.entity_id, h.hold_id, h.at, h.by_name, h.reason, r.at as released_at, r.by_name as released_by,
  r.reason as release_reason
from land.holds h
left join land.hold_releases r using (entity_id, hold_id);

-- Statements of balances that the platform signed, and what the books said to each line.
create view books.confirmations as
select entity_id, confirmation_id, as_of, file_name, file_sha256, evidence_name, evidence_sha256, by_name, at, covered_to,
  lines, agreed, differing
from reconcile.confirmations;

create view books.confirmation_lines as
select entity_id, confirmation_id, line, account, currency, stated, booked, difference, status
from reconcile.confirmation_lines;

-- Who may ask: a role that reads the books and owns nothing; `tieout query` asks as it. It belongs to the whole server,
-- so it is made once; where we may not make roles, an administrator does, or query asks as ourselves.
do $$
begin
  create role tieout_analyst nologin;
exception when duplicate_object or unique_violation or insufficient_privilege then null;
end $$;
do $$
begin
  if not pg_has_role('tieout_analyst', 'member') then execute format('grant tieout_analyst to %I', current_user); end if;
exception when undefined_object or insufficient_privilege then null;
end $$;
do $$
begin
  grant usage on schema books to tieout_analyst;
  grant select on all tables in schema books to tieout_analyst;
exception when undefined_object then null;
end $$;
