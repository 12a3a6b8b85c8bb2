-- Records as received: the latest version of each, its history, and what became of it.
-- For: analysts; support.
--   psql -f sql/views/09-records.sql

-- The latest version of each landed record, and what became of it.
create view books.records as
select r.entity_id, r.stream, r.record_id, r.version, r.scope, r.record_at, r.landed_at, r.payload,
  case o.outcome when 'set-aside' then 'set aside: ' || o.reason else coalesce(o.outcome, 'not yet normalized') end as outcome,
  o.reason, o.rule_version, r.request_id
from land.records r
left join ledger.outcomes o using (entity_id, stream, record_id, version)
where not exists (
  select from land.records newer
  where (newer.entity_id, newer.stream, newer.record_id) = (r.entity_id, r.stream, r.record_id) and newer.version > r.version
);

create view books.movements as
select r.entity_id, r.record_id, r.version, j ->> 'walletId' as wallet_id, books_internal.amount_of(j ->> 'amount') as amount,
  j ->> 'currency' as currency, j ->> 'movementType' as movement_type, j ->> 'serviceOrderName' as origin,
  j ->> 'status' as status, books_internal.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'movements';

create view books.trades as
select r.entity_id, r.record_id, r.version, j ->> 'orderId' as order_id, j ->> 'symbol' as symbol, j ->> 'side' as side,
  j ->> 'orderType' as order_type, books_internal.amount_of(j ->> 'price') as price, j ->> 'priceCurrency' as price_currency,
  books_internal.amount_of(j ->> 'amount') as amount, j ->> 'amountCurrency' as amount_currency,
  books_internal.amount_of(j ->> 'cost') as cost, books_internal.amount_of(j ->> 'costEuro') as cost_euro,
  books_internal.amount_of(j ->> 'feeAmount') as fee_amount, j ->> 'feeCurrency' as fee_currency,
  books_internal.amount_of(j ->> 'feePercentage') as fee_percentage, (j ->> 'isMaker') = 'true' as is_maker,
  books_internal.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason, r.request_id
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'trades';

create view books.wallet_transactions as
select r.entity_id, r.record_id, r.version, j ->> 'type' as type, j ->> 'subtype' as subtype, j ->> 'method' as method,
  j ->> 'status' as status, books_internal.instant_of(j ->> 'date') as date,
  books_internal.instant_of(j ->> 'completedAt') as completed_at, books_internal.instant_of(j ->> 'canceledAt') as canceled_at,
  j #>> '{origin,class}' as origin_class, j #>> '{origin,pocketId}' as origin_pocket_id,
  j #>> '{origin,currency}' as origin_currency, books_internal.amount_of(j #>> '{origin,amount}') as origin_amount,
  j #>> '{destination,class}' as destination_class, j #>> '{destination,pocketId}' as destination_pocket_id,
  j #>> '{destination,currency}' as destination_currency,
  books_internal.amount_of(j #>> '{destination,amount}') as destination_amount,
  books_internal.amount_of(j #>> '{destination,amountAfterFees}') as destination_amount_after_fees,
  books_internal.amount_of(j #>> '{denomination,amount}') as denomination_amount,
  j #>> '{denomination,currency}' as denomination_currency, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'wallet-transactions';

create view books.earn_movements as
select r.entity_id, r.record_id, r.version, r.scope as wallet_id, j ->> 'type' as type,
  books_internal.amount_of(j #>> '{amount,value}') as amount, j #>> '{amount,currency}' as currency,
  books_internal.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'earn-movements';

-- What may be shown of a bank account: its country and its last four characters, and nothing of a short one. Null once the
-- person is erased.
create view books_internal.masked_accounts as
select p.entity_id, p.stream, p.record_id, p.version, split_part(p.path, '.', 1) as side,
  case when length(v) >= 12 then substring(v from '^[A-Za-z]{2}') else '' end || '****'
    || case when length(v) >= 12 then right(v, 4) else '' end as account
from land.people p
cross join lateral (select regexp_replace(p.value, '[^0-9A-Za-z]', '', 'g') as v) as plain
where p.path in ('origin.bankAccount', 'destination.bankAccount', 'origin.iban', 'destination.iban');

-- Versions that a later one is expected of: few, and found without reading history.
create view books_internal.not_final as
select entity_id, stream, record_id, version from ledger.outcomes where not final;

-- The life of a record in one reading: each version as it was landed, what became of it, the entries that it caused and
-- what they undo. A version that booked nothing has no entry; one that a changed rule decided again says when and by whom.
-- Read it `order by version, ordinal`.
create view books.chain as
select r.entity_id, r.stream, r.record_id, r.version, r.landed_at, encode(r.digest, 'hex') as digest,
  case o.outcome when 'set-aside' then 'set aside: ' || o.reason else coalesce(o.outcome, 'not yet normalized') end as outcome,
  o.reason, coalesce(e.rule_version, o.rule_version) as rule_version, e.ordinal, e.entry_id, e.kind, e.effective_at,
  e.recorded_at, e.period, e.reverses, s.at as restated_at, s.by_name as restated_by, s.reason as restated_because
from land.records r
left join ledger.outcomes o using (entity_id, stream, record_id, version)
left join ledger.entries e using (entity_id, stream, record_id, version)
left join ledger.restatements s on (s.entity_id, s.stream, s.record_id, s.version, s.at)
  = (e.entity_id, e.stream, e.record_id, e.version, e.recorded_at);

-- Every record that a changed rule decided otherwise, and what the rule before it had said.
create view books.restatements as
select entity_id, stream, record_id, version, ordinal, at, by_name, reason, from_rule, to_rule, was_outcome, was_reason
from ledger.restatements;
