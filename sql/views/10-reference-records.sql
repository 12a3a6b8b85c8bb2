-- Records that move no money and explain those that do: the latest version of each, with typed columns.
-- For: analysts; causes of breaks; counterparties.
--   psql -f sql/views/10-reference-records.sql

create view books.address_book as
select r.entity_id, r.record_id, r.version, j ->> 'address' as address, j ->> 'network' as network, j ->> 'currency' as currency,
  j ->> 'tag' as tag, j ->> 'status' as status, j ->> 'walletOwnership' as ownership, j ->> 'personType' as person_type,
  j ->> 'walletType' as wallet_type, j ->> 'exchangeName' as exchange_name,
  books_internal.instant_of(j ->> 'createdAt') as created_at, books_internal.instant_of(j ->> 'updatedAt') as updated_at, r.landed_at
from books_internal.latest_records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'address-book';
comment on view books.address_book is
  'One row per entry of an address book: the latest version. Entries that the gateway no longer lists stay.';
comment on column books.address_book.address is 'Blockchain address.';
comment on column books.address_book.network is 'Network of the address, as the gateway names it.';
comment on column books.address_book.tag is 'Tag or memo of the address; null if it has none.';
comment on column books.address_book.status is 'validating, verified, expired or disabled, as last received.';
comment on column books.address_book.ownership is 'Whose wallet it is, as declared to the platform: own or other.';
comment on column books.address_book.person_type is 'person or company; null if not reported. Their names are personal data.';
comment on column books.address_book.wallet_type is 'exchange or unhosted, as received.';
comment on column books.address_book.exchange_name is 'Name of the exchange that holds the wallet; null if none is named.';
comment on column books.address_book.updated_at is 'When the entry last changed on the platform; null if it cannot be read.';

create view books.deposit_addresses as
select r.entity_id, r.record_id, r.version, j ->> 'pocketId' as pocket_id, j ->> 'network' as network, j ->> 'address' as address,
  j ->> 'status' as status, books_internal.instant_of(j ->> 'createdAt') as created_at, r.landed_at
from books_internal.latest_records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'deposit-addresses';
comment on view books.deposit_addresses is
  'One row per blockchain address on which a pocket receives.';
comment on column books.deposit_addresses.pocket_id is 'Pocket that receives on the address.';
comment on column books.deposit_addresses.network is 'Network of the address, as the gateway names it.';
comment on column books.deposit_addresses.address is 'Blockchain address.';
comment on column books.deposit_addresses.status is 'enabled, or another status as received.';

create view books.social_pay_orders as
select r.entity_id, r.record_id, r.version, j ->> 'walletMovementId' as wallet_transaction_id, j ->> 'pocketId' as pocket_id,
  j ->> 'type' as recipient_type, books_internal.amount_of(j ->> 'amount') as amount, j ->> 'currency' as currency,
  j ->> 'status' as status, j ->> 'userId' as user_id, books_internal.instant_of(j ->> 'createdAt') as created_at,
  books_internal.instant_of(j ->> 'expiryDate') as expires_at, r.landed_at, (
    select max(books_internal.instant_of(change ->> 'created'))
    from jsonb_path_query(j, 'lax $.statusChanges[*]') as change
    where change ->> 'newStatus' = j ->> 'status'
  ) as status_at
from books_internal.latest_records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'social-pay-orders';
comment on view books.social_pay_orders is
  'One row per social-pay order, sent or received: the latest version.';
comment on column books.social_pay_orders.wallet_transaction_id is 'Wallet transaction that paid it; null if not reported.';
comment on column books.social_pay_orders.pocket_id is 'Pocket that the order names.';
comment on column books.social_pay_orders.recipient_type is 'How the recipient is named: email, phone or alias.';
comment on column books.social_pay_orders.amount is 'Amount in units of the currency, as received; positive.';
comment on column books.social_pay_orders.status is 'waiting-funds, pending, accepted, cancelled, expired or error, as received.';
comment on column books.social_pay_orders.user_id is 'User who sent the order.';
comment on column books.social_pay_orders.expires_at is 'When it expires if nobody claims it; null if it cannot be read.';

create view books.pocket_references as
select r.entity_id, r.record_id, r.version, lower(r.record_id) as pocket_id,
  coalesce(j #>> '{pocket,reference}', j ->> 'reference') as reference, r.landed_at
from books_internal.latest_records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'pocket-references';
comment on view books.pocket_references is
  'One row per pocket that received by bank transfer: the reference that a transfer names to reach it.';
comment on column books.pocket_references.pocket_id is 'Pocket, in lower case.';
comment on column books.pocket_references.reference is 'Reference to write as the concept of a bank transfer.';

create view books.trading_orders as
select r.entity_id, r.record_id, r.version, j ->> 'symbol' as symbol, j ->> 'side' as side, j ->> 'orderType' as order_type,
  j ->> 'status' as status, books_internal.amount_of(j ->> 'price') as price, books_internal.amount_of(j ->> 'stopPrice') as stop_price,
  books_internal.amount_of(j ->> 'orderAmount') as amount, books_internal.amount_of(j ->> 'filledAmount') as filled_amount,
  books_internal.amount_of(j ->> 'cost') as cost, books_internal.amount_of(j ->> 'feeAmount') as fee_amount, j ->> 'feeCurrency' as fee_currency,
  books_internal.instant_of(j ->> 'createdAt') as created_at, books_internal.instant_of(j ->> 'updatedAt') as updated_at, r.landed_at
from books_internal.latest_records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'trading-orders';
comment on view books.trading_orders is
  'One row per order that a trade names or that was open: the latest version.';
comment on column books.trading_orders.order_type is 'limit, stop-limit or market, as received.';
comment on column books.trading_orders.status is 'open, inactive, filled or cancelled, as last received.';
comment on column books.trading_orders.price is 'Limit price of one unit of the base in the quote currency; null if it has none.';
comment on column books.trading_orders.stop_price is 'Price that activates it; null if it has none.';
comment on column books.trading_orders.amount is 'Amount ordered, in units of the base.';
comment on column books.trading_orders.filled_amount is 'Amount filled when it was last read, in units of the base.';
comment on column books.trading_orders.cost is 'Consideration of what is filled, in the quote currency; null if not reported.';
comment on column books.trading_orders.fee_amount is 'Fee of what is filled, in fee_currency; null if not reported.';
comment on column books.trading_orders.fee_currency is 'Currency of the fee; null if not reported.';
comment on column books.trading_orders.updated_at is 'When it last changed; null if not reported.';

-- The orders that were open or inactive when last read, each found by its key: the index of such orders also has their older versions.
create view books_internal.open_orders as
select r.entity_id, r.record_id, o.symbol, o.side, o.status, o.price, o.amount, o.filled_amount
from land.records r
cross join lateral (
  select * from books.trading_orders t where (t.entity_id, t.record_id, t.version) = (r.entity_id, r.record_id, r.version) offset 0
) as o
where r.stream = 'trading-orders' and coalesce(r.payload::jsonb ->> 'status', '') not in ('filled', 'cancelled', 'canceled');

create view books.teller_orders as
select r.entity_id, r.record_id, r.version, j ->> 'status' as status, r.landed_at
from books_internal.latest_records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'teller-orders';
comment on view books.teller_orders is
  'One row per teller order behind a wallet transaction that was not final: its status when last read.';
comment on column books.teller_orders.status is 'pending, waiting-user, review, accepted or cancelled, as received; an unknown order is pending too.';

create view books.loan_orders as
select r.entity_id, r.record_id, r.version, j ->> 'status' as status, books_internal.amount_of(j ->> 'loanAmount') as loan_amount,
  j ->> 'loanSymbol' as loan_currency, books_internal.amount_of(j ->> 'guaranteeAmount') as guarantee_amount,
  j ->> 'guaranteeSymbol' as guarantee_currency, books_internal.instant_of(j ->> 'createdAt') as created_at, r.landed_at
from books_internal.latest_records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'loan-orders';
comment on view books.loan_orders is
  'One row per order of a loan, as an undocumented list of the gateway shows it. Nothing is booked from it.';
comment on column books.loan_orders.status is 'Status as received: active, closed or another word.';
comment on column books.loan_orders.loan_amount is 'Amount lent, in units of loan_currency; null if it cannot be read.';
comment on column books.loan_orders.loan_currency is 'Currency of the loan.';
comment on column books.loan_orders.guarantee_amount is 'Amount pledged, in units of guarantee_currency; null if it cannot be read.';
comment on column books.loan_orders.guarantee_currency is 'Currency of the pledge.';

create view books.assets as
select distinct on (r.record_id) r.record_id as symbol, j ->> 'name' as name, j ->> 'assetType' as asset_type,
  j ->> 'network' as network, (j ->> 'enabled') = 'true' as is_enabled, (j ->> 'testnet') = 'true' as is_testnet,
  coalesce(j ->> 'removedAt', '') <> '' as is_removed, books_internal.instant_of(j ->> 'removedAt') as removed_at, r.landed_at,
  case
    when (j ->> 'testnet') = 'true' then 'testnet'
    when lower(j ->> 'assetType') = 'fiat' then 'fiat'
    when lower(j ->> 'assetType') in ('crypto', 'coin') then 'coin'
    when lower(j ->> 'assetType') in ('e-money', 'e-money-token', 'emt') then 'e-money token'
  end as class
from books_internal.latest_records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'assets'
order by r.record_id, r.landed_at desc;
comment on view books.assets is
  'One row per currency or asset that the platform knows, by its own list; testnet and delisted ones included.';
comment on column books.assets.symbol is 'Currency or asset code.';
comment on column books.assets.name is 'Name of the asset.';
comment on column books.assets.asset_type is 'Kind of asset, as the platform names it.';
comment on column books.assets.network is 'Network of the asset, as the platform names it; null if it has none.';
comment on column books.assets.is_enabled is 'True if the platform offers it; null if not reported.';
comment on column books.assets.is_testnet is 'True for a coin of a test network; null if not reported.';
comment on column books.assets.is_removed is 'True if the platform states that it delisted it.';
comment on column books.assets.removed_at is 'When the platform delisted it; null while listed, and if that time cannot be read.';
comment on column books.assets.class is 'fiat, coin, e-money token or testnet, from asset_type and is_testnet; null for an unknown asset_type.';

create view books.asset_networks as
with asset as (
  select distinct on (r.record_id) r.record_id as symbol, r.payload::jsonb -> 'networks' as networks, r.landed_at
  from books_internal.latest_records r
  where r.stream = 'assets'
  order by r.record_id, r.landed_at desc
)
select distinct a.symbol, n.network ->> 'network' as network, nullif(n.network ->> 'feeCurrencyCode', '') as fee_currency, a.landed_at
from asset a
cross join lateral jsonb_array_elements(case jsonb_typeof(a.networks) when 'array' then a.networks else '[]' end) as n (network)
where n.network ->> 'network' <> '';
comment on view books.asset_networks is
  'One row per asset and network on which it moves, as far as the list of assets names them (assumption A-ASSET-NETWORKS).';
comment on column books.asset_networks.symbol is 'Currency or asset code.';
comment on column books.asset_networks.network is 'Network, as the platform names it.';
comment on column books.asset_networks.fee_currency is 'Currency of the network fee; null if not reported.';

create view books.orders as
with charged as ( -- one reading of the trades serves fills and fees: two would be joined by a loop within a loop
  select entity_id, order_id, fee_currency, sum(fee_amount) as fee, min(symbol) as symbol, min(side) as side, count(*) as fills,
    count(amount) as amounts, sum(amount) as amount, count(cost) as costs, sum(cost) as cost, min(created_at) as first_fill_at,
    max(created_at) as last_fill_at
  from books.trades
  where order_id <> ''
  group by entity_id, order_id, fee_currency
), filled as (
  select entity_id, order_id, min(symbol) as symbol, min(side) as side, sum(fills)::bigint as fills,
    case when sum(amounts) = sum(fills) then sum(amount) end as amount, case when sum(costs) = sum(fills) then sum(cost) end as cost,
    string_agg(trim_scale(fee)::text || ' ' || fee_currency, '; ' order by fee_currency collate "C") filter (where fee <> 0) as fees,
    min(first_fill_at) as first_fill_at, max(last_fill_at) as last_fill_at
  from charged
  group by entity_id, order_id
), listed as (
  select entity_id, record_id as order_id, symbol, side, status, amount as order_amount, filled_amount, cost as order_cost, created_at
  from books.trading_orders
)
select entity_id, order_id, coalesce(l.symbol, f.symbol) as symbol, coalesce(l.side, f.side) as side, l.status, l.order_amount,
  l.filled_amount, l.order_cost, l.created_at, coalesce(f.fills, 0) as fills,
  case when f.fills is null then 0 else trim_scale(f.amount) end as amount, case when f.fills is null then 0 else trim_scale(f.cost) end as cost,
  f.fees, trim_scale(round(round(f.cost, 40) / nullif(f.amount, 0), 18)) as average_price, f.first_fill_at, f.last_fill_at
from filled f
full join listed l using (entity_id, order_id);
comment on view books.orders is
  'One row per order that a trade names or that was open: its landed fills together, beside its own figures.';
comment on column books.orders.order_id is 'Order (record_id in books.trading_orders, order_id in books.trades).';
comment on column books.orders.status is 'Status when the order was last read, as received; null if only its trades are known.';
comment on column books.orders.order_amount is 'Amount ordered, in units of the base; null if not reported.';
comment on column books.orders.filled_amount is 'Amount filled by the order''s own figure when it was last read; null if not reported.';
comment on column books.orders.order_cost is 'Consideration by the order''s own figure, in the quote currency; null if not reported.';
comment on column books.orders.fills is 'Number of landed trades that name it.';
comment on column books.orders.amount is 'Sum of their amounts, in units of the base; null if one cannot be read.';
comment on column books.orders.cost is 'Sum of their consideration, in the quote currency; null if one cannot be read.';
comment on column books.orders.fees is 'Their fees, a sum for each currency: 0.4 EUR; 0.001 BTC. Null if there are none.';
comment on column books.orders.average_price is 'cost / amount, rounded to 18 decimals, halves away from zero; cost and amount together are exact. Null without fills.';
comment on column books.orders.first_fill_at is 'Time of the first landed trade.';
comment on column books.orders.last_fill_at is 'Time of the last landed trade.';

-- Every version of every entry of an address book, as received; its address also hashed, as the index has it.
create view books_internal.address_versions as
select entity_id, record_id, version, payload, landed_at, request_id, md5(lower(payload::jsonb ->> 'address')) as address_hash from land.records where stream = 'address-book';
