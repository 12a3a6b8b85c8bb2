-- What was read: lists of balances, coverage of each stream, gaps, other answers.
-- For: the operator; completeness.
--   psql -f sql/views/15-coverage.sql

-- The streams, the product whose balances each explains, and whether each item of those has a list of its own: the table
-- STREAMS of src/base/streams.ts, for SQL.
create view books_internal.streams (stream, product, is_per_item) as
values ('movements', 'trading', false), ('trades', 'trading', false), ('wallet-transactions', 'pocket', false),
  ('earn-movements', 'earn', true);

-- The streams that move no money and explain those that do: REFERENCES of the same file.
create view books_internal.reference_streams (stream, is_listed) as
values ('address-book', true), ('deposit-addresses', true), ('social-pay-orders', true), ('pocket-references', false),
  ('trading-orders', false), ('teller-orders', false), ('assets', true), ('loan-orders', false);

-- The lists of balances that were read, and the requests for lists of records; is_by_id: for records by their ids.
create view books_internal.snapshots as
select entity_id, run_id, request_id, product, phase, taken_at from land.snapshots;

create view books_internal.list_requests as
select entity_id, run_id, request_id, stream, target ~ '[?&]ids=' as is_by_id, rows from land.requests;

create view books.readings as
select s.entity_id, s.run_id, s.request_id, s.product, s.phase, s.taken_at, b.item_id,
  case s.product when 'pocket' then 'assets:pocket:' || lower(b.item_id) else 'assets:' || s.product end as account, b.currency,
  b.balance, b.blocked, b.total
from land.snapshots s
left join land.balances b using (entity_id, request_id);
comment on view books.readings is
  'One row per item of each list of balances that the gateway reported; a row of nulls for an empty list.';
comment on column books.readings.product is 'trading, pocket or earn.';
comment on column books.readings.phase is 'before or after the streams were read.';
comment on column books.readings.taken_at is 'When the list was read.';
comment on column books.readings.item_id is 'Wallet or pocket, as the gateway names it; null for an empty list.';
comment on column books.readings.account is 'Account where it is booked; null for an empty list.';
comment on column books.readings.balance is 'Available balance as reported, in units of the currency; null if it is not an amount.';
comment on column books.readings.blocked is 'Blocked balance as reported; null if not reported.';
comment on column books.readings.total is 'Balance and blocked together, which the tie-out compares; null if either is not an amount.';

-- What each open order reserves: a sale what it has not sold, a purchase the price of what it has not bought, without fees
-- (assumption A-ORDER-RESERVE). Null units if the order lacks what is needed, and a null currency if its market is unknown.
create view books_internal.reserved_by_orders as
select o.entity_id, o.record_id as order_id, nullif(part.currency, '') as currency, part.units
from books_internal.open_orders o
cross join lateral (
  select case when o.status in ('open', 'inactive') and o.filled_amount <= o.amount and o.symbol ~ '^[^/]+/[^/]+$' then o.amount - o.filled_amount end
) as unfilled (rest)
cross join lateral (values
  (split_part(o.symbol, '/', 1), case o.side when 'sell' then rest when 'buy' then 0 end),
  (split_part(o.symbol, '/', 2), case o.side when 'buy' then rest * o.price when 'sell' then 0 end)
) as part (currency, units);

create view books.blocked_balances as
with newest as (
  select n.entity_id, p.product, s.request_id
  from run.entities n
  cross join (values ('trading'), ('pocket')) as p (product)
  cross join lateral (select max(k.request_id) as request_id from land.snapshots k where (k.entity_id, k.product) = (n.entity_id, p.product)) as s
), blocked as (
  select r.entity_id, r.account, r.currency, r.run_id, r.taken_at, case when count(r.blocked) = count(*) then sum(r.blocked) end as blocked
  from newest
  join books.readings r using (entity_id, request_id)
  where r.account is not null
  group by r.entity_id, r.account, r.currency, r.run_id, r.taken_at
), paying as (
  select t.entity_id, 'assets:pocket:' || lower(t.origin_pocket_id) as account, t.origin_currency as currency,
    case when count(t.origin_amount) = count(*) then sum(t.origin_amount) end as amount
  from books_internal.not_final n
  join books.wallet_transactions t using (entity_id, record_id, version)
  where n.stream = 'wallet-transactions' and t.origin_pocket_id is not null
  group by 1, 2, 3
), explained as (
  select b.*,
    case when b.account = 'assets:trading' then (
      select case when count(o.units) = count(*) then coalesce(sum(o.units), 0) end
      from books_internal.reserved_by_orders o
      where o.entity_id = b.entity_id and coalesce(o.currency, b.currency) = b.currency
    ) else 0 end as in_orders,
    case when b.account = 'assets:trading' then coalesce((
      select a.balance from books.balances a
      where (a.entity_id, a.account, a.currency) = (b.entity_id, 'assets:trading-bots', b.currency)
    ), 0) else 0 end as with_bots,
    case when p.account is null then 0 else p.amount end as in_payments
  from blocked b
  left join paying p using (entity_id, account, currency)
)
select entity_id, account, currency, run_id, taken_at, trim_scale(blocked) as blocked, trim_scale(in_orders) as in_orders,
  trim_scale(with_bots) as with_bots, trim_scale(in_payments) as in_payments,
  trim_scale(blocked - in_orders - with_bots - in_payments) as unexplained
from explained
where (blocked, in_orders, with_bots, in_payments) is distinct from (0, 0, 0, 0);
comment on view books.blocked_balances is
  'One row per trading currency or pocket with blocked funds in its last reading, and what blocks them: blocked = in_orders + with_bots + in_payments + unexplained.';
comment on column books.blocked_balances.run_id is 'Run (books.runs) that read the balance.';
comment on column books.blocked_balances.taken_at is 'When it was read.';
comment on column books.blocked_balances.blocked is 'Blocked balance as reported, in units of the currency; null if it is not an amount.';
comment on column books.blocked_balances.in_orders is 'Reserved by open orders as last read, without fees: a sale the base not yet sold, a purchase its limit price times the base not yet bought. Null if an order lacks what is needed; 0 for a pocket.';
comment on column books.blocked_balances.with_bots is 'Assigned to bots, as booked; 0 for a pocket.';
comment on column books.blocked_balances.in_payments is 'Leaves the pocket by wallet transactions that are not final; null if one has no amount. 0 for trading.';
comment on column books.blocked_balances.unexplained is 'What none of them explains, such as the fee that an order reserves; null if one is not known.';

-- Whether a wallet or pocket is in the last list of its product that was read; true if none was ever read. A trading wallet
-- is named by its currency.
create function books_internal.is_listed(entity text, product text, item text) returns boolean language sql stable parallel safe as $$
  select coalesce((
    select exists (
      select from books.readings b
      where (b.entity_id, b.request_id) = (s.entity_id, s.request_id)
        and is_listed.item = case s.product when 'trading' then b.currency when 'pocket' then lower(b.item_id) else b.item_id end
    )
    from books.readings s
    where s.entity_id = is_listed.entity and s.product = is_listed.product
    order by s.request_id desc limit 1
  ), true)
$$;

-- The lists of records that were read and move money: one for each stream, and one for each Earn wallet, which is its scope.
create view books_internal.lists as
select entity_id, stream, scope, newest_at, covered from land.coverage where stream in (select stream from books_internal.streams);

-- The number of records in a list by the gateway's last count, if it has one, and the number of distinct ones landed.
create view books_internal.list_totals as
select c.entity_id, c.stream, c.scope, last.list_total as total, c.landed
from land.coverage c
cross join lateral (
  select p.list_total from land.pages p
  where (p.entity_id, p.stream, p.scope) = (c.entity_id, c.stream, c.scope) and p.list_total is not null
  order by p.request_id desc limit 1
) as last;

-- The same two numbers when a list with a count was last proved: more landed than counted are no longer listed.
create view books_internal.proved_totals as
select c.entity_id, c.stream, c.scope, last.list_total as total, last.records as landed
from land.coverage c
cross join lateral (
  select l.proof, l.list_total, l.records from land.leaves l
  where (l.entity_id, l.stream, l.scope) = (c.entity_id, c.stream, c.scope)
  order by l.leaf_id desc limit 1
) as last
where last.proof = 'list' and c.stream in (select stream from books_internal.streams);

-- Records of a list that is proved from its beginning to one instant, as most are, are not counted one by one: the certificate counts
-- the first versions landed. Taken away are those outside the interval or without a time; added are records of which only a
-- later version is inside, or of this list. verify coverage proves the certificate by reading every record.
create view books.coverage as
select c.entity_id, c.stream, lower(stretch) as covered_from, upper(stretch) as covered_to,
  case when lower(stretch) = '-infinity' and upper(stretch) = upper(c.covered) then c.landed - (
    select count(*) from land.records r
    where (r.entity_id, r.stream, r.scope, r.version) = (c.entity_id, c.stream, c.scope, 1) and r.record_at >= upper(stretch)
  ) - (
    select count(*) from land.records r
    where (r.entity_id, r.stream, r.scope, r.version) = (c.entity_id, c.stream, c.scope, 1) and r.record_at is null
  ) + (
    select count(distinct r.record_id) from land.records r
    where (r.entity_id, r.stream, r.scope) = (c.entity_id, c.stream, c.scope) and r.version > 1 and r.record_at < upper(stretch)
      and not exists (
        select from land.records one
        where (one.entity_id, one.stream, one.record_id, one.version, one.scope) = (r.entity_id, r.stream, r.record_id, 1, r.scope)
          and one.record_at < upper(stretch)
      )
  ) else (
    select count(distinct r.record_id) from land.records r
    where (r.entity_id, r.stream, r.scope) = (c.entity_id, c.stream, c.scope)
      and r.record_at >= lower(stretch) and r.record_at < upper(stretch)
  ) end as records,
  c.scope
from land.coverage c cross join lateral unnest(c.covered) as stretch
where c.stream in (select stream from books_internal.streams);
comment on view books.coverage is
  'One row per proved interval of a list whose records move money: extraction is proved complete in [covered_from, covered_to).';
comment on column books.coverage.covered_from is 'Start of the interval; -infinity if the walk reached the end of the list.';
comment on column books.coverage.covered_to is 'End of the interval, exclusive.';
comment on column books.coverage.records is
  'Number of distinct records landed with a time in the interval. One without a time, such as a wallet transaction without a date, is in no interval; books.conservation counts it.';

-- The intervals that each run added to those of a list.
create view books_internal.proved_intervals as
select l.entity_id, l.stream, l.scope, l.covered, n.run_number from land.leaves l join run.runs n using (run_id);

-- books.coverage, or as the runs up to one left it, by its number: from the intervals that they added, and the records that they landed.
create function books_internal.coverage_by(last_run bigint)
returns table (entity_id text, stream text, covered_from timestamptz, covered_to timestamptz, records bigint, scope text)
language sql stable parallel safe as $$
  select c.entity_id, c.stream, c.covered_from, c.covered_to, c.records, c.scope from books.coverage c where coverage_by.last_run is null
  union all
  select proved.entity_id, proved.stream, lower(stretch), upper(stretch), (
      select count(distinct r.record_id) from books_internal.record_versions r
      where (r.entity_id, r.stream, r.scope) = (proved.entity_id, proved.stream, proved.scope)
        and r.record_at >= lower(stretch) and r.record_at < upper(stretch)
        and r.request_id <= coalesce((select n.requests_to from books.runs n where n.run_number = coverage_by.last_run), r.request_id)
    ), proved.scope
  from (
    select l.entity_id, l.stream, l.scope, range_agg(l.covered) as covered
    from books_internal.proved_intervals l
    where l.run_number <= coverage_by.last_run and l.stream in (select s.stream from books_internal.streams s)
    group by l.entity_id, l.stream, l.scope
  ) as proved
  cross join lateral unnest(proved.covered) as stretch
$$;

create view books.coverage_gaps as
select entity_id, stream, nullif(lower(gap), '-infinity') as gap_from, upper(gap) as gap_to, scope
from land.coverage
cross join lateral unnest(tstzmultirange(tstzrange('-infinity', upper(covered))) - covered) as gap
where stream in (select stream from books_internal.streams);
comment on view books.coverage_gaps is
  'One row per gap of a list, before or between its proved intervals: what lies there is not proved complete. A list that was begun and of which nothing is proved has one row too.';
comment on column books.coverage_gaps.gap_from is 'Start of the gap; null if it has none: not even the beginning of the list is proved.';
comment on column books.coverage_gaps.gap_to is 'End of the gap, exclusive; null if nothing of the list is proved.';

-- The streams of which an entity has one list each, or as the runs up to one knew them, by its number; null stands for all. A product that the
-- gateway does not offer to the entity, as the last reading noted, has none. Earn has a list for each wallet.
create function books_internal.expected_lists(last_run bigint)
returns table (entity_id text, stream text) language sql stable parallel safe as $$
  select e.entity_id, s.stream
  from books.entities e
  cross join books_internal.streams s
  where not s.is_per_item and ((expected_lists.last_run is null and exists ( -- or every finding would be read
    select from books_internal.lists c where (c.entity_id, c.stream, c.scope) = (e.entity_id, s.stream, '') and not isempty(c.covered)
  )) or not coalesce((
    select f.severity = 'note' and f.detail like 'not offered to this entity:%'
    from books.findings f join books.runs r using (run_id)
    where (f.entity_id, f.subject) = (e.entity_id, s.stream) and (expected_lists.last_run is null or r.run_number <= expected_lists.last_run)
    order by r.run_number desc
    limit 1
  ), false))
$$;

-- The watermark of each list: the end of the stretch that is proved from its beginning; null if no such stretch is. A list that is expected
-- and was never begun has a row too.
create view books_internal.watermarks as
select entity_id, stream, scope, (
  select coalesce(upper(stretch), 'infinity') from unnest(l.covered) as stretch where coalesce(lower(stretch), '-infinity') = '-infinity'
) as watermark
from books_internal.lists l
full join (select x.entity_id, x.stream, '' as scope from books_internal.expected_lists(null) x) as expected using (entity_id, stream, scope);

create view books.reference_lists as
select c.entity_id, c.stream, c.scope, upper(c.covered) as read_to, c.landed as records
from land.coverage c
join books_internal.reference_streams s using (stream);
comment on view books.reference_lists is
  'One row per list of records that move no money, such as the address book, with the instant up to which it was read.';
comment on column books.reference_lists.stream is 'Stream of the records: address-book, deposit-addresses, social-pay-orders, pocket-references, trading-orders, teller-orders, assets or loan-orders.';
comment on column books.reference_lists.scope is 'List within the stream: for deposit addresses the pocket and the network, otherwise empty.';
comment on column books.reference_lists.read_to is 'When the whole list was last read; null if its records are requested by name.';
comment on column books.reference_lists.records is 'Number of distinct records landed, those that the gateway no longer lists included.';

-- Answers beside records and balances: balances as numbers, limits of working capital, the catalogue of currencies.
create view books_internal.answers as
select a.entity_id, r.run_id, a.request_id, a.operation, a.taken_at, a.payload
from land.answers a join land.requests r using (entity_id, request_id);

create view books.currencies as
select c.key as currency, c.value as name, last.taken_at
from (
  select payload, taken_at from land.answers where operation = 'catalog' order by request_id desc limit 1
) as last
cross join lateral jsonb_each_text(last.payload::jsonb) as c;
comment on view books.currencies is
  'One row per currency in the gateway''s last catalogue.';
comment on column books.currencies.name is 'Name of the currency.';
comment on column books.currencies.taken_at is 'When the catalogue was read.';

create view books.working_capital as
select last.entity_id, j ->> 'currency' as currency, j ->> 'type' as type, books_internal.amount_of(j ->> 'limit') as limit_amount,
  books_internal.amount_of(j ->> 'used') as used, books_internal.amount_of(j ->> 'remaining') as remaining,
  books_internal.amount_of(j ->> 'refillThreshold') as threshold, last.taken_at, last.request_id
from (
  select distinct on (entity_id) entity_id, request_id, payload, taken_at
  from land.answers
  where operation = 'working-capital'
  order by entity_id, request_id desc
) as last
cross join lateral jsonb_array_elements(last.payload::jsonb) as j;
comment on view books.working_capital is
  'One row per limit of the platform advance, as last reported: what may still be drawn. What is owed is liabilities:working-capital in books.balances.';
comment on column books.working_capital.type is 'Type of the limit, as received: deposit.';
comment on column books.working_capital.limit_amount is 'Limit of a rolling window of 24 hours, in units of the currency.';
comment on column books.working_capital.used is 'Used of it in that window.';
comment on column books.working_capital.remaining is 'What is left of it.';
comment on column books.working_capital.threshold is 'refillThreshold as received; the documentation does not say more.';
comment on column books.working_capital.taken_at is 'When the limits were read.';
