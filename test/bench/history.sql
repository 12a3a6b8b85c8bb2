-- A history for measuring and for plans, in a schema that is migrated and empty: {entries} entries over {days} days up to the end of 2026
-- in {entities} books, every second one a trade of three legs, the others movements of one; their records, outcomes and summary; a
-- value line for each side of each leg; rates of each day; a comparison each of {nights} nights. Hashes stand for chance.
create unlogged table public.drawn as
select n, name::uuid::text as record_id, n % 2 = 0 as is_trade, 'e' || n % {entities} as entity_id, at, chance,
  (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '8' || substr(name, 1, 3) || '8' || substr(name, 4, 15))::uuid as entry_id,
  ('{BTC,ETH,EUR,SOL,ADA,XRP,DOT,LINK,USDT,AVAX,LTC}'::text[])[1 + chance % 11] as coin,
  round((chance % 1000000007 + 1) / 1e8, 8) as amount
from (
  select n, md5('record ' || n) as name, ('x' || left(md5('record ' || n), 15))::bit(60)::bigint as chance,
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

insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
select entity_id, case when is_trade then 'trades' else 'movements' end, record_id, 1, '\x00', case when is_trade then json_build_object(
    'amount', amount::text, 'amountCurrency', coin, 'cost', (amount * 7.25)::text, 'costEuro', (amount * 7.25)::text, 'createdAt', at,
    'feeAmount', (amount * 0.001)::text, 'feeCurrency', 'USDC', 'feePercentage', '0.10', 'id', record_id, 'isMaker', 'true', 'orderId', 'o' || n,
    'orderType', 'limit', 'price', '7.25', 'priceCurrency', 'USDC', 'side', 'sell', 'symbol', coin || '/USDC'
  ) else json_build_object('amount', amount::text, 'createdAt', at, 'currency', coin, 'id', record_id, 'movementType', 'deposit',
    'serviceOrderName', case when n % 1000 = 1 then 'wallet' else 'admin' end, 'status', 'completed', 'walletId', 'w') end::text, at, at + interval '1 hour', 1 + n / 100
from public.drawn order by n;
insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version)
select entity_id, case when is_trade then 'trades' else 'movements' end, record_id, 1, 'booked', null, true, 1 from public.drawn;
insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal, rule_version, description)
select entity_id, entry_id, at, date_trunc('day', at, 'UTC') + interval '26 hours', to_char(at at time zone 'UTC', 'YYYY-MM'),
  case when is_trade then 'trade' else 'movement' end, case when is_trade then 'trades' else 'movements' end, record_id, 1, 1, 1,
  case when is_trade then 'sell' else 'deposit wallet' end
from public.drawn order by n;
insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount)
select entity_id, entry_id, leg.leg, leg.debit, leg.credit, leg.currency, leg.amount
from public.drawn
cross join lateral (values
  (true, 1, 'equity:conversion', 'assets:trading', coin, amount),
  (true, 2, 'assets:trading', 'equity:conversion', 'USDC', amount * 7.25),
  (true, 3, 'expenses:fees:trading', 'assets:trading', 'USDC', amount * 0.001),
  (false, 1, 'assets:trading', case when n % 1000 = 1 then 'assets:clearing:trading' else 'equity:external:platform' end, coin, amount)
) as leg (of_trade, leg, debit, credit, currency, amount)
where leg.of_trade = is_trade
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
insert into value.months (entity_id, period, taxpayer, entries, last_at, counterparties, fingerprint)
select entity_id, period, entity_id, count(*), max(effective_at), '', 'f' from ledger.entries group by 1, 2;
insert into value.uses (entity_id, use_id, taxpayer, pool, currency, entry_id, leg, period, used_at, kind, units, cost, proceeds, exchanged_for, method)
select entity_id, 'u' || n, entity_id, 'held', coin, entry_id, 1, to_char(at at time zone 'UTC', 'YYYY-MM'), at, 'disposal', amount, amount * 3, amount * 3, 'USDC', 'fifo'
from public.drawn where is_trade and n % 4 = 0;

insert into land.rate_lists (entity_id, request_id, entry, source, at, payload, told, skipped)
select 'e0', (select min(request_id) from land.requests where entity_id = 'e0'), row_number() over (), 'rates', at, '{}', 11, 0
from generate_series(timestamptz '2027-01-01' - {days} * interval '1 day', '2026-12-31', '1 day') as at;
insert into land.rates (entity_id, currency, at, request_id, entry, rate)
select entity_id, coin, at, request_id, entry, 0.5 from land.rate_lists, unnest('{BTC,ETH,EUR,SOL,ADA,XRP,DOT,LINK,USDT,AVAX,LTC}'::text[]) as coin;

insert into land.coverage (entity_id, stream, covered, landed)
select entity_id, stream, '{[-infinity,2026-12-31T02:00:00Z)}', 0 from run.entities, unnest('{movements,trades}'::text[]) as stream;
insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
select b.entity_id, r.run_id, b.account, b.currency, r.started_at, b.balance, b.balance, 0, 'tied'
from run.runs r
cross join (
  select entity_id, account, currency, sum(debit - credit) as balance from ledger.daily where account = 'assets:trading' group by 1, 2, 3
) as b
order by r.run_number;
drop table public.drawn;
