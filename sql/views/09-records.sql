-- Records as received: the latest version of each, its history, and its outcome.
-- For: analysts; support.
--   psql -f sql/views/09-records.sql

-- Every version as landed, for the checks, which an analyst can run as a night does.
create view books_internal.landed_records as
select entity_id, stream, record_id, version, scope, record_at, landed_at, payload, request_id from land.records;

-- The latest version of each landed record.
create view books_internal.latest_records as
select r.*
from land.records r
where not exists (
  select from land.records newer
  where (newer.entity_id, newer.stream, newer.record_id) = (r.entity_id, r.stream, r.record_id) and newer.version > r.version
);

create view books.records as
select r.entity_id, r.stream, r.record_id, r.version, r.scope, r.record_at, r.landed_at, r.payload,
  case o.outcome when 'set-aside' then 'set aside: ' || o.reason else coalesce(o.outcome, 'not yet normalized') end as outcome,
  o.reason, o.rule_version, r.request_id
from books_internal.latest_records r
left join ledger.outcomes o using (entity_id, stream, record_id, version);
comment on view books.records is
  'One row per landed record: its latest version, as received.';
comment on column books.records.record_at is 'The record''s own time; null if it cannot be read.';
comment on column books.records.payload is 'JSON as received; personal fields hold a keyed commitment instead of the value.';
comment on column books.records.reason is 'Why it was rejected or set aside; null if booked.';

-- Every version of each landed record, with its outcome. is_latest is for statements over all records: few have several versions, and
-- hashes of those take a tenth of the time that a lookup for each record takes, and leave the statement to several processors.
create view books_internal.record_versions as
select r.entity_id, r.stream, r.record_id, r.version, r.scope, r.record_at, r.landed_at, r.payload, r.request_id,
  case o.outcome when 'set-aside' then 'set aside: ' || o.reason else coalesce(o.outcome, 'not yet normalized') end as outcome, o.rule_version,
  case
    when (r.entity_id, r.stream, r.record_id) in (select changed.entity_id, changed.stream, changed.record_id from land.records changed where changed.version > 1)
    then (r.entity_id, r.stream, r.record_id, r.version) in (
      select newest.entity_id, newest.stream, newest.record_id, max(newest.version) from land.records newest where newest.version > 1 group by 1, 2, 3
    )
    else true
  end as is_latest
from land.records r
left join ledger.outcomes o using (entity_id, stream, record_id, version);

-- `offset 0` makes the planner parse each payload once, not once for each column.
create view books.movements as
select r.entity_id, r.record_id, r.version, j ->> 'walletId' as wallet_id, books_internal.amount_of(j ->> 'amount') as amount,
  j ->> 'currency' as currency, j ->> 'movementType' as movement_type, j ->> 'serviceOrderName' as origin,
  j ->> 'status' as status, books_internal.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'movements';
comment on view books.movements is
  'One row per movement of the trading wallet: the latest version, with typed columns. Values that cannot be typed are null.';
comment on column books.movements.wallet_id is 'Trading wallet, as the gateway names it.';
comment on column books.movements.amount is 'Amount in units of the currency, as received; movement_type gives the direction.';
comment on column books.movements.movement_type is 'deposit or withdrawal.';
comment on column books.movements.origin is 'Where it came from, as the gateway names it (serviceOrderName): wallet, admin, bot and others.';
comment on column books.movements.status is 'Status as received.';
comment on column books.movements.reason is 'Why it was rejected or set aside; null if booked.';

create view books.trades as
select r.entity_id, r.record_id, r.version, j ->> 'orderId' as order_id, j ->> 'symbol' as symbol, j ->> 'side' as side,
  j ->> 'orderType' as order_type, books_internal.amount_of(j ->> 'price') as price,
  coalesce(j ->> 'priceCurrency', substring(j ->> 'symbol' from '^[A-Z0-9]{1,20}/([A-Z0-9]{1,20})$')) as price_currency,
  books_internal.amount_of(j ->> 'amount') as amount,
  coalesce(j ->> 'amountCurrency', substring(j ->> 'symbol' from '^([A-Z0-9]{1,20})/[A-Z0-9]{1,20}$')) as amount_currency,
  books_internal.amount_of(j ->> 'cost') as cost, books_internal.amount_of(j ->> 'costEuro') as cost_euro,
  books_internal.amount_of(j ->> 'feeAmount') as fee_amount, j ->> 'feeCurrency' as fee_currency,
  books_internal.amount_of(j ->> 'feePercentage') as fee_percentage, (j ->> 'isMaker') = 'true' as is_maker,
  books_internal.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason, r.request_id
from books.records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'trades';
comment on view books.trades is
  'One row per fill: the latest version, with typed columns. Values that cannot be typed are null.';
comment on column books.trades.order_id is 'Order that was filled.';
comment on column books.trades.order_type is 'Type of order, as received.';
comment on column books.trades.price is 'Price of one unit of the base, in price_currency.';
comment on column books.trades.price_currency is 'Currency of the price; the quote of symbol if the record does not repeat it.';
comment on column books.trades.amount is 'Amount of the base, in amount_currency; positive.';
comment on column books.trades.amount_currency is 'Currency of the amount; the base of symbol if the record does not repeat it.';
comment on column books.trades.cost is 'Consideration in the quote currency, as received; never recomputed.';
comment on column books.trades.cost_euro is 'Consideration in EUR, as the gateway gives it; null if it gives none.';
comment on column books.trades.fee_amount is 'Trading fee, in fee_currency.';
comment on column books.trades.fee_currency is 'Currency of the fee.';
comment on column books.trades.fee_percentage is 'Fee in percent of the consideration, as received.';
comment on column books.trades.is_maker is 'True if the order made the market, false if it took; null if not reported.';
comment on column books.trades.reason is 'Why it was rejected or set aside; null if booked.';

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
  j #>> '{denomination,currency}' as denomination_currency, r.landed_at, r.outcome, r.reason,
  books_internal.chain_address(j #>> '{origin,address}') as origin_address, j #>> '{origin,addressNetwork}' as origin_network,
  books_internal.chain_address(j #>> '{destination,address}') as destination_address,
  j #>> '{destination,addressNetwork}' as destination_network, j #>> '{transaction,hash}' as transaction_hash,
  j #>> '{fee,teller,id}' as fee_teller_id, j ->> 'instantId' as instant_id, shown.value as rate, shown.base as rate_base,
  shown.quote as rate_quote, own.value as destination_rate, own.base as destination_rate_base, own.quote as destination_rate_quote,
  books_internal.amount_of(j #>> '{fee,flip,amount}') as flip_fee_amount, j #>> '{fee,flip,currency}' as flip_fee_currency,
  books_internal.amount_of(j #>> '{fee,flip,percentage}') as flip_fee_percentage
from books.records r
cross join lateral (select r.payload::jsonb as j offset 0) as parsed
cross join lateral books_internal.rate_of(j -> 'rate') as shown
cross join lateral books_internal.rate_of(j #> '{destination,rate}') as own
where r.stream = 'wallet-transactions';
comment on view books.wallet_transactions is
  'One row per wallet transaction: the latest version, with typed columns. Values that cannot be typed are null.';
comment on column books.wallet_transactions.type is 'Type, as received.';
comment on column books.wallet_transactions.subtype is 'Subtype, as received.';
comment on column books.wallet_transactions.method is 'Payment method, as received.';
comment on column books.wallet_transactions.status is 'Status, as received.';
comment on column books.wallet_transactions.date is 'The gateway''s date of the transaction.';
comment on column books.wallet_transactions.completed_at is 'When it completed; the effective date of its entry. Null if not completed.';
comment on column books.wallet_transactions.canceled_at is 'When it was cancelled; null if it was not.';
comment on column books.wallet_transactions.origin_class is 'What it came from: pocket, bank, blockchain, card, trading, earn …; null if there is no origin.';
comment on column books.wallet_transactions.origin_pocket_id is 'Pocket that it left; null if none.';
comment on column books.wallet_transactions.origin_currency is 'Currency of origin_amount.';
comment on column books.wallet_transactions.origin_amount is 'Amount that left the origin; positive.';
comment on column books.wallet_transactions.destination_class is 'What it went to: pocket, bank, blockchain, trading, earn …; null if there is no destination.';
comment on column books.wallet_transactions.destination_pocket_id is 'Pocket that it entered; null if none.';
comment on column books.wallet_transactions.destination_currency is 'Currency of the destination amounts.';
comment on column books.wallet_transactions.destination_amount is 'Amount for the destination before fees; positive.';
comment on column books.wallet_transactions.destination_amount_after_fees is 'Amount that arrived after fees; positive.';
comment on column books.wallet_transactions.denomination_amount is 'Amount paid by card or wallet pay; null if not such a payment.';
comment on column books.wallet_transactions.denomination_currency is 'Currency of denomination_amount.';
comment on column books.wallet_transactions.origin_address is 'Address on a blockchain that it came from; null if none.';
comment on column books.wallet_transactions.origin_network is 'Blockchain network of origin_address; null if none.';
comment on column books.wallet_transactions.destination_address is 'Address on a blockchain that it went to; null if none.';
comment on column books.wallet_transactions.destination_network is 'Blockchain network of destination_address; null if none.';
comment on column books.wallet_transactions.transaction_hash is 'Hash on the blockchain; null if none.';
comment on column books.wallet_transactions.fee_teller_id is 'Teller order that the teller fee belongs to; null if none.';
comment on column books.wallet_transactions.instant_id is 'Conversion that it belongs to, as the gateway names it (instantId); null if none.';
comment on column books.wallet_transactions.rate is 'Price shown to the user: units of rate_quote for one unit of rate_base; null if none.';
comment on column books.wallet_transactions.rate_base is 'Base of rate; null if the record does not name it.';
comment on column books.wallet_transactions.rate_quote is 'Quote of rate; null if the record does not name it.';
comment on column books.wallet_transactions.destination_rate is
  'Market rate of the conversion: units of destination_rate_quote for one unit of destination_rate_base; null if none.';
comment on column books.wallet_transactions.destination_rate_base is 'Base of destination_rate; null if the record does not name it.';
comment on column books.wallet_transactions.destination_rate_quote is 'Quote of destination_rate; null if the record does not name it.';
comment on column books.wallet_transactions.flip_fee_amount is 'Fee that the record states as part of the price; never booked. Null if none.';
comment on column books.wallet_transactions.flip_fee_currency is 'Currency of flip_fee_amount.';
comment on column books.wallet_transactions.flip_fee_percentage is 'The same fee in percent, as received; null if none.';
comment on column books.wallet_transactions.reason is 'Why it was rejected or set aside; null if booked.';

create view books.earn_movements as
select r.entity_id, r.record_id, r.version, r.scope as wallet_id, j ->> 'type' as type,
  books_internal.amount_of(j #>> '{amount,value}') as amount, j #>> '{amount,currency}' as currency,
  books_internal.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason,
  nullif(j #>> '{source,walletId}', '') as source_wallet_id, nullif(j #>> '{source,currency}', '') as source_currency
from books.records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'earn-movements';
comment on view books.earn_movements is
  'One row per Earn movement: the latest version, with typed columns. Values that cannot be typed are null.';
comment on column books.earn_movements.wallet_id is 'Earn wallet.';
comment on column books.earn_movements.type is 'deposit, withdrawal, reward …, as received.';
comment on column books.earn_movements.amount is 'Gross amount in units of the currency, as received; positive.';
comment on column books.earn_movements.source_wallet_id is 'Pocket that it came from or goes to, as the record names it; null if it names none.';
comment on column books.earn_movements.source_currency is 'Currency of that pocket; null if not named.';
comment on column books.earn_movements.reason is 'Why it was rejected or set aside; null if booked.';

-- The part of a bank account that may be shown: its country and its last four characters, and nothing of a short one. Null
-- once the person is erased.
create view books_internal.masked_accounts as
select p.entity_id, p.stream, p.record_id, p.version, split_part(p.path, '.', 1) as side,
  case when length(v) >= 12 then coalesce(substring(v from '^([A-Za-z]{2})[0-9]{2}'), '') else '' end || '****'
    || case when length(v) >= 12 then coalesce(substring(v from '[0-9]{4}$'), '') else '' end as account -- letters may be a name's
from land.people p
cross join lateral (select regexp_replace(p.value, '[^0-9A-Za-z]', '', 'g') as v) as plain
where p.path in ('origin.bankAccount', 'destination.bankAccount', 'origin.iban', 'destination.iban') and starts_with(p.value, '"'); -- one text

-- Versions that are not final, so a later one is expected: few, and found without reading history.
create view books_internal.not_final as
select entity_id, stream, record_id, version from ledger.outcomes where not final;

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
comment on view books.chain is
  'One row per version of a record and entry that it caused: the life of a record. Read it order by version, ordinal.';
comment on column books.chain.digest is 'SHA-256 of the version''s canonical JSON, in hex.';
comment on column books.chain.reason is 'Why the version was rejected or set aside; null if booked.';
comment on column books.chain.ordinal is 'Place of the entry in the record''s chain; null if the version booked nothing.';
comment on column books.chain.entry_id is 'Entry that the version caused; null if it booked nothing.';
comment on column books.chain.kind is 'Kind of the entry; null if there is none.';
comment on column books.chain.effective_at is 'Effective date of the entry; null if there is none.';
comment on column books.chain.recorded_at is 'When the entry was booked; null if there is none.';
comment on column books.chain.period is 'Month in which the entry counts; null if there is none.';
comment on column books.chain.restated_at is 'When a changed rule booked the version again; null if none did.';
comment on column books.chain.restated_by is 'Who ran that restatement.';
comment on column books.chain.restated_because is 'Reason given for that restatement.';

create view books.restatements as
select entity_id, stream, record_id, version, ordinal, at as restated_at, by_name as restated_by, reason, from_rule, to_rule, was_outcome, was_reason
from ledger.restatements;
comment on view books.restatements is
  'One row per record version that a changed booking rule decided differently.';
comment on column books.restatements.ordinal is 'Place in the record''s chain of the first entry that the restatement booked.';
comment on column books.restatements.restated_at is 'When it was restated.';
comment on column books.restatements.restated_by is 'Who ran the restatement.';
comment on column books.restatements.reason is 'Reason given for it.';
comment on column books.restatements.from_rule is 'Version of the rule before.';
comment on column books.restatements.to_rule is 'Version of the rule that applies now.';
comment on column books.restatements.was_outcome is 'Outcome under the rule before.';
comment on column books.restatements.was_reason is 'Reason for that outcome; null if it was booked.';
