-- A night's reading of balances for `npm run bench -- --reconcile`: before and after the streams, each saying what is booked.
insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
select distinct entity_id, entity_id, 'UTC', 'EUR', timestamptz '{taken}' from ledger.daily
on conflict do nothing;

insert into land.coverage (entity_id, stream, covered, newest_at)
select entity_id, stream, tstzmultirange(tstzrange('-infinity', '{taken}')), '{taken}'
from run.entities cross join unnest(array['movements', 'trades', 'wallet-transactions']::text[]) as stream
on conflict (entity_id, stream, scope) do update set covered = excluded.covered, newest_at = excluded.newest_at;

with asked as (
  insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
  select entity_id, '{run}', product, 'GET', phase, 200, '', 0, '{taken}'
  from (values (1, 'before'), (2, 'after')) as it (nth, phase)
  cross join run.entities
  cross join unnest(array['trading', 'pocket']::text[]) as product
  order by nth, entity_id
  returning entity_id, request_id, stream as product, target as phase
), snapshot as (
  insert into land.snapshots (entity_id, request_id, run_id, product, phase, taken_at)
  select entity_id, request_id, '{run}', product, phase, timestamptz '{taken}' + case phase when 'after' then interval '1 min' else '0' end
  from asked
)
select * into temp table reading from asked;

insert into land.balances (entity_id, request_id, item_id, currency, balance, blocked, total, payload)
select entity_id, request_id, lower(currency), currency, balance, 0, balance, '{}'
from reading
join (
  select entity_id, split_part(account, ':', 2) as product, currency, sum(debit - credit) as balance from ledger.daily
  where account = 'assets:trading' or account like 'assets:pocket:%'
  group by 1, 2, 3
) as booked using (entity_id, product);
drop table reading;
