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
  ('trading-orders', false), ('teller-orders', false), ('assets', true);

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

create view books.coverage as
select c.entity_id, c.stream, lower(stretch) as covered_from, upper(stretch) as covered_to,
  (
    select count(distinct r.record_id) from land.records r
    where (r.entity_id, r.stream, r.scope) = (c.entity_id, c.stream, c.scope)
      and r.record_at >= lower(stretch) and r.record_at < upper(stretch)
  ) as records,
  c.scope
from land.coverage c cross join lateral unnest(c.covered) as stretch
where c.stream in (select stream from books_internal.streams);
comment on view books.coverage is
  'One row per proved interval of a list whose records move money: extraction is proved complete in [covered_from, covered_to).';
comment on column books.coverage.covered_from is 'Start of the interval; -infinity if the walk reached the end of the list.';
comment on column books.coverage.covered_to is 'End of the interval, exclusive.';
comment on column books.coverage.records is 'Number of distinct records landed with a time in the interval.';

create view books.coverage_gaps as
select entity_id, stream, lower(gap) as gap_from, upper(gap) as gap_to, scope
from land.coverage
cross join lateral unnest(tstzmultirange(tstzrange(lower(covered), upper(covered))) - covered) as gap
where stream in (select stream from books_internal.streams);
comment on view books.coverage_gaps is
  'One row per gap between two proved intervals: what lies there is not proved complete.';
comment on column books.coverage_gaps.gap_from is 'Start of the gap.';
comment on column books.coverage_gaps.gap_to is 'End of the gap, exclusive.';

create view books.reference_lists as
select c.entity_id, c.stream, c.scope, upper(c.covered) as read_to, c.landed as records
from land.coverage c
join books_internal.reference_streams s using (stream);
comment on view books.reference_lists is
  'One row per list of records that move no money, such as the address book, with the instant up to which it was read.';
comment on column books.reference_lists.stream is 'Stream of the records: address-book, deposit-addresses, social-pay-orders, pocket-references, trading-orders, teller-orders or assets.';
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
