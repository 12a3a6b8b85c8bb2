-- A history of {entries} entries of {entities} entities over three years, in a database that is migrated, for
-- `npm run bench -- --reconcile`: of ten entries eight are trades of three legs and two the views of one move between a
-- pocket and trading. Run again with another {first} and :from it adds a day. Hashes stand for chance.
create unlogged table public.told as
select n, entity_id, kind, at, name, round((1 + chance % 1000000007) / 1e8, 8) as amount,
  (array['BTC', 'ETH', 'EUR', 'SOL', 'ADA'])[1 + chance % 5] as coin,
  (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '8' || substr(name, 1, 3) || '8' || substr(name, 4, 15))::uuid
    as entry_id
from (
  select n, name, 'e' || n / 10 % {entities} as entity_id, case n % 10 when 0 then 'out' when 1 then 'in' else 'trade' end as kind,
    ('x' || md5((n / 10 * 10)::text || 'amount' || case when n % 10 < 2 then 0 else n end))::bit(32)::bigint as chance,
    timestamptz '{from}' + (interval '1 us' * ((n / 10 - {first} / 10)::numeric * {span_us} / ({entries} / 10))) + interval '1 s' * (n % 10) as at
  from (select n, md5('record ' || n) as name from generate_series({first}, {first} + {entries} - 1) as n offset 0) as hashed
) as placed;

insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
  rule_version, description)
select entity_id, entry_id, at, '{recorded}', to_char(at, 'YYYY-MM'),
  case kind when 'trade' then 'trade' when 'in' then 'movement' else 'wallet-transaction' end,
  case kind when 'trade' then 'trades' when 'in' then 'movements' else 'wallet-transactions' end, name::uuid::text, 1, 1, 1, kind
from public.told order by entity_id, at;

insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount)
select entity_id, entry_id, leg.leg, leg.debit, leg.credit, leg.currency, leg.amount
from public.told
cross join lateral (values
  ('trade', 1, 'equity:conversion', 'assets:trading', coin, amount),
  ('trade', 2, 'assets:trading', 'equity:conversion', 'USDC', amount * 7.25),
  ('trade', 3, 'expenses:fees:trading', 'assets:trading', 'USDC', amount * 0.001),
  ('out', 1, 'assets:clearing:trading', 'assets:pocket:' || lower(coin), coin, amount),
  ('in', 1, 'assets:trading', 'assets:clearing:trading', coin, amount)
) as leg (of_kind, leg, debit, credit, currency, amount)
where leg.of_kind = kind
order by entity_id, at;

insert into ledger.daily as kept (entity_id, account, currency, effective_day, recorded_at, debit, credit)
select t.entity_id, side.account, t.currency, (e.at at time zone 'UTC')::date, '{recorded}', sum(side.debit), sum(side.credit)
from public.told e
join ledger.transfers t using (entity_id, entry_id)
cross join lateral (values (t.debit, t.amount, 0), (t.credit, 0, t.amount)) as side (account, debit, credit)
group by 1, 2, 3, 4
on conflict (entity_id, account, currency, effective_day, recorded_at)
do update set debit = kept.debit + excluded.debit, credit = kept.credit + excluded.credit;

truncate ledger.totals;
insert into ledger.totals select * from ledger.total_sums;

drop table public.told;
