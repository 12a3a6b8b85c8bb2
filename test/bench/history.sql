-- A history for measuring and for plans, in a schema that is migrated and empty: {entries} entries over {days} days up to the end of 2026
-- in {entities} books: every second one a trade of three legs, every tenth a payment into or out of a pocket, the others movements of one
-- leg; their records, outcomes and summary; the orders that trades and payments name, of which the newest are open; a value line for each side of each
-- leg; rates of each day; a comparison each of {nights} nights. Hashes stand for chance.
create unlogged table public.drawn as
select n, name::uuid::text as record_id, stream, 'e' || n % {entities} as entity_id, at, chance,
  (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '8' || substr(name, 1, 3) || '8' || substr(name, 4, 15))::uuid as entry_id,
  case stream when 'wallet-transactions' then 'EUR' else ('{BTC,ETH,EUR,SOL,ADA,XRP,DOT,LINK,USDT,AVAX,LTC}'::text[])[1 + chance % 11] end as coin,
  round((chance % 1000000007 + 1) / 1e8, 8) as amount
from (
  select n, md5('record ' || n) as name, ('x' || left(md5('record ' || n), 15))::bit(60)::bigint as chance,
    case when n % 2 = 0 then 'trades' when n % 10 = 3 then 'wallet-transactions' else 'movements' end as stream,
    timestamptz '2027-01-01T00:00:00Z' - ({days} * 86400000000::bigint - div(n::numeric * {days} * 86400000000, {entries})::bigint) * interval '1 us' as at
  from generate_series(1, {entries}) as n
) as hashed;

insert into run.runs (run_id, job, started_at, finished_at, exit_code, position)
select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'nightly', timestamptz '2026-12-31T02:00:00Z' - ({nights} - n) * interval '1 day',
  timestamptz '2026-12-31T03:00:00Z' - ({nights} - n) * interval '1 day', 0, n
from generate_series(1, {nights}) as n;
insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
select distinct entity_id, entity_id, 'UTC', 'EUR', timestamptz '2027-01-01' - {days} * interval '1 day' from public.drawn;
insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
select entity_id, '00000000-0000-4000-8000-000000000001', 'trades', 'GET', '/', 200, '', 0, '2025-01-01' from run.entities;

insert into land.pockets (entity_id, pocket_id, currency, first_listed_at)
select entity_id, 'p-' || entity_id, 'EUR', first_seen_at from run.entities;
insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
select d.entity_id, listed.stream, listed.record_id, 1, '\x00', listed.payload::text, at, at + interval '1 hour', 1 + n / 100
from public.drawn d
cross join lateral (
  select d.stream, d.record_id, case d.stream
    when 'trades' then json_build_object(
      'amount', amount::text, 'amountCurrency', coin, 'cost', (amount * 7.25)::text, 'costEuro', (amount * 7.25)::text, 'createdAt', at,
      'feeAmount', (amount * 0.001)::text, 'feeCurrency', 'USDC', 'feePercentage', '0.10', 'id', d.record_id, 'isMaker', 'true', 'orderId', 'o' || n,
      'orderType', 'limit', 'price', '7.25', 'priceCurrency', 'USDC', 'side', 'sell', 'symbol', coin || '/USDC'
    )
    when 'movements' then json_build_object('amount', amount::text, 'createdAt', at, 'currency', coin, 'id', d.record_id, 'movementType', 'deposit',
      'serviceOrderName', case when n % 1000 = 1 then 'wallet' else 'admin' end, 'status', 'completed', 'walletId', 'w')
    else json_build_object('completedAt', at, 'date', at, 'id', d.record_id, 'status', 'completed', 'type', 'transfer',
      'subtype', case when n % 20 = 3 then 'social-pay' else 'deposit' end,
      case when n % 40 = 23 then 'destination' else 'origin' end,
      json_build_object('amount', amount::text, 'class', case when n % 20 = 3 then 'email' else 'bank' end, 'currency', coin),
      case when n % 40 = 23 then 'origin' else 'destination' end,
      json_build_object('amount', amount::text, 'class', 'pocket', 'currency', coin, 'pocketId', 'p-' || d.entity_id),
      'fee', case when n % 20 = 13 then json_build_object('teller', json_build_object('id', 't' || n)) end)
  end
  union all
  select 'trading-orders', 'o' || n, json_build_object('id', 'o' || n, 'createdAt', at, 'updatedAt', at, 'symbol', coin || '/USDC', 'side', 'sell',
    'orderType', 'limit', 'price', '7.25', 'orderAmount', amount::text, 'filledAmount', amount::text, 'status', case when at < '2026-12-30' then 'filled' else 'open' end)
  where d.stream = 'trades'
  union all
  select 'social-pay-orders', 's' || n, json_build_object('orderId', 's' || n, 'createdAt', at, 'expiryDate', at + interval '7 days', 'userId', 'u', 'type', 'email',
    'amount', amount::text, 'currency', coin, 'pocketId', 'p-' || d.entity_id, 'walletMovementId', case when n % 3 = 0 then d.record_id end,
    'status', case when at < '2026-12-29' then 'accepted' else 'waiting-funds' end,
    'statusChanges', case when at < '2026-12-29' then json_build_array(json_build_object('created', at, 'newStatus', 'accepted')) end)
  where d.stream = 'wallet-transactions' and n % 20 = 3
  union all
  select 'teller-orders', 't' || n, json_build_object('orderId', 't' || n, 'createdAt', at, 'status', 'accepted')
  where d.stream = 'wallet-transactions' and n % 20 = 13
) as listed (stream, record_id, payload)
order by n;
insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version)
select entity_id, stream, record_id, 1, 'booked', null, true, 1 from public.drawn;
insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal, rule_version, description)
select entity_id, entry_id, at, date_trunc('day', at, 'UTC') + interval '26 hours', to_char(at at time zone 'UTC', 'YYYY-MM'),
  rtrim(stream, 's'), stream, record_id, 1, 1, 1, case stream when 'trades' then 'sell' when 'movements' then 'deposit wallet' else 'transfer' end
from public.drawn order by n;
insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount)
select entity_id, entry_id, leg.leg, leg.debit, leg.credit, leg.currency, leg.amount
from public.drawn
cross join lateral (values
  ('trades', 1, 'equity:conversion', 'assets:trading', coin, amount),
  ('trades', 2, 'assets:trading', 'equity:conversion', 'USDC', amount * 7.25),
  ('trades', 3, 'expenses:fees:trading', 'assets:trading', 'USDC', amount * 0.001),
  ('movements', 1, 'assets:trading', case when n % 1000 = 1 then 'assets:clearing:trading' else 'equity:external:platform' end, coin, amount),
  ('wallet-transactions', 1, case when n % 40 = 23 then 'equity:external:person' else 'assets:pocket:p-' || entity_id end,
    case when n % 40 = 23 then 'assets:pocket:p-' || entity_id when n % 20 = 3 then 'equity:external:person' else 'equity:external:bank' end, coin, amount)
) as leg (stream, leg, debit, credit, currency, amount)
where leg.stream = drawn.stream
order by n;
insert into ledger.daily select * from ledger.daily_sums order by 1, 2, 3, 4, 5;
insert into ledger.totals select * from ledger.total_sums;

insert into value.postings (entity_id, entry_id, line, taxpayer, leg, account, currency, units, exact, value, value_currency, period, rule, source, age_seconds)
select t.entity_id, t.entry_id, t.leg * 2 - 1 + side.nth, t.entity_id, t.leg, side.account, t.currency, side.sign * t.amount, side.sign * round(t.amount * 3, 18),
  side.sign * round(t.amount * 3, 2), 'EUR', e.period, 'market rate', 'rates USD', 3600
from ledger.entries e
join ledger.transfers t using (entity_id, entry_id)
cross join lateral (values (0, t.debit, 1), (1, t.credit, -1)) as side (nth, account, sign)
order by e.entry_number, t.leg, side.nth;
insert into value.monthly select * from value.monthly_sums;
insert into value.open_lots select * from value.lots_left('later');
insert into value.months (entity_id, period, taxpayer, entries, last_at, counterparties, fingerprint)
select entity_id, period, entity_id, count(*), max(effective_at), '', 'f' from ledger.entries group by 1, 2;
insert into value.uses (entity_id, use_id, taxpayer, pool, currency, entry_id, leg, period, used_at, kind, units, cost, proceeds, exchanged_for, method)
select entity_id, 'u' || n, entity_id, 'held', coin, entry_id, 1, to_char(at at time zone 'UTC', 'YYYY-MM'), at, 'disposal', amount, amount * 3, amount * 3, 'USDC', 'fifo'
from public.drawn where stream = 'trades' and n % 4 = 0;

insert into land.rate_lists (entity_id, request_id, entry, source, at, payload, received, skipped)
select 'e0', (select min(request_id) from land.requests where entity_id = 'e0'), row_number() over (), 'rates', at, '{}', 11, 0
from generate_series(timestamptz '2027-01-01' - {days} * interval '1 day', '2026-12-31', '1 day') as at;
insert into land.rates (entity_id, currency, at, request_id, entry, rate)
select entity_id, coin, at, request_id, entry, 0.5 from land.rate_lists, unnest('{BTC,ETH,EUR,SOL,ADA,XRP,DOT,LINK,USDT,AVAX,LTC}'::text[]) as coin;

insert into land.coverage (entity_id, stream, covered, landed)
select entity_id, stream, '{[-infinity,2026-12-31T02:00:00Z)}', 0 from run.entities, unnest('{movements,trades,wallet-transactions,social-pay-orders}'::text[]) as stream;
insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
select b.entity_id, r.run_id, b.account, b.currency, r.started_at, b.balance, b.balance, 0, 'tied'
from run.runs r
cross join lateral books.balances_at(r.started_at) b
where b.account = 'assets:trading' or b.account like 'assets:pocket:%'
order by r.run_number;
drop table public.drawn;
