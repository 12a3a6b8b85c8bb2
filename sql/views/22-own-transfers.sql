-- Transfers between our own entities, as paired, those to and from people and chains, and social-pay orders.
-- For: consolidation.
--   psql -f sql/views/22-own-transfers.sql

-- The owner of each end of a wallet transaction: the entity of ours with that pocket or user, or `elsewhere` for anybody else.
-- The names themselves are not shown. side: origin or destination.
create view books_internal.named_ends as
select r.entity_id, r.stream, r.record_id, r.version, side.name as side, coalesce(pocket.entity_id, own.entity_id) as names_entity,
  case when pocket.entity_id is not null then 'pocket' when own.entity_id is not null then 'user' end as names_by,
  coalesce(pocket.entity_id, own.entity_id) is null and coalesce(far ->> 'pocketId', far ->> 'userId') is not null as elsewhere
from land.records r
cross join (values ('origin'), ('destination')) as side (name)
cross join lateral (select r.payload::jsonb -> side.name as far offset 0) as far_side
cross join lateral (
  select min(p.entity_id) as entity_id from land.pockets p
  where lower(p.pocket_id) = lower(far ->> 'pocketId') and p.entity_id <> r.entity_id
) as pocket
cross join lateral (
  select min(n.entity_id) as entity_id from run.entities n
  where far ->> 'userId' in (n.gateway_user_id, n.subaccount_id) and n.entity_id <> r.entity_id
) as own
where r.stream = 'wallet-transactions';

-- The blockchain addresses on which our pockets receive, in comparable form. The lists of all entities, one after the other:
-- records have no order across entities.
create view books_internal.own_addresses as
select n.entity_id, listed.pocket_id, listed.address, listed.network
from run.entities n
cross join lateral (
  select distinct lower(j ->> 'pocketId') as pocket_id, books_internal.address_key(j ->> 'address') as address,
    lower(j ->> 'network') as network
  from land.records r
  cross join lateral (select r.payload::jsonb as j offset 0) as parsed
  where r.entity_id = n.entity_id and r.stream = 'deposit-addresses' and j ->> 'address' <> ''
) as listed;

-- What a wallet transaction shows of a chain: the address it went to, unless a tag shows that others share it, its network, the
-- hash, and the pocket that received.
create view books_internal.chain_ends as
select r.entity_id, r.stream, r.record_id, r.version,
  case when coalesce(sent_to ->> 'addressTag', '') = '' then books_internal.address_key(sent_to ->> 'address') end as address,
  lower(coalesce(sent_to ->> 'addressNetwork', sent_to ->> 'network')) as network,
  books_internal.address_key(j #>> '{transaction,hash}') as hash, lower(sent_to ->> 'pocketId') as pocket_id
from land.records r
cross join lateral (select r.payload::jsonb as j offset 0) as parsed
cross join lateral (select j -> 'destination' as sent_to) as side
where r.stream = 'wallet-transactions';

-- What an entity's entries that are not reversed moved to people and onto chains (amount > 0: money left) or from them, of
-- those that took effect between two instants. `pocketed` is the change of our own pockets, which may differ by a fee. People:
-- the owner of the other end by the record, the entity of ours with that pocket or user, or `elsewhere` for anybody else.
-- Chains: the address that it went to with its network, or the pocket that received, and the hash.
create function books_internal.outside_moves(entity text, since timestamptz, until timestamptz)
returns table (entity_id text, entry_id uuid, currency text, effective_at timestamptz, stream text, record_id text, amount numeric,
  pocketed numeric, names_entity text, names_by text, elsewhere boolean, is_chain boolean, address text, network text, hash text,
  pocket_id text)
language sql stable parallel safe as $$
  select e.entity_id, m.entry_id, m.currency, e.effective_at, e.stream, e.record_id, trim_scale(m.amount), trim_scale(m.pocketed),
    n.names_entity, n.names_by, coalesce(n.elsewhere, false), m.is_chain, case when m.amount > 0 then chain.address end, case when m.amount > 0 then chain.network end, chain.hash,
    case when m.amount < 0 then chain.pocket_id end
  from (
    select t.entry_id, t.currency, bool_or('equity:external:blockchain' in (t.debit, t.credit)) as is_chain,
      coalesce(sum(t.amount) filter (where t.debit in ('equity:external:person', 'equity:external:blockchain')), 0)
        - coalesce(sum(t.amount) filter (where t.credit in ('equity:external:person', 'equity:external:blockchain')), 0) as amount,
      abs(coalesce(sum(t.amount) filter (where t.debit like 'assets:pocket:%'), 0)
        - coalesce(sum(t.amount) filter (where t.credit like 'assets:pocket:%'), 0)) as pocketed
    from books.transfers t
    where t.entity_id = entity and t.entry_id >= books_internal.first_entry_id(since) and t.entry_id < books_internal.first_entry_id(until)
    group by 1, 2
    having bool_or('equity:external:person' in (t.debit, t.credit)) or bool_or('equity:external:blockchain' in (t.debit, t.credit))
  ) as m
  join books.entries e on (e.entity_id, e.entry_id) = (entity, m.entry_id)
  left join books_internal.named_ends n on (n.entity_id, n.stream, n.record_id, n.version) = (e.entity_id, e.stream, e.record_id, e.version)
    and not m.is_chain and n.side = case when m.amount > 0 then 'destination' else 'origin' end
  left join lateral (
    select c.* from books_internal.chain_ends c
    where m.is_chain and (c.entity_id, c.stream, c.record_id, c.version) = (e.entity_id, e.stream, e.record_id, e.version)
    offset 0
  ) as chain on true
  where e.reverses is null and m.amount <> 0 and not books_internal.is_reversed(entity, m.entry_id)
$$;

create view books.own_transfers as
select from_entity, from_entry_id, to_entity, to_entry_id, currency, amount_out, amount_in, grounds,
  greatest(from_at - to_at, to_at - from_at) as time_apart, from_stream, from_record_id, from_at, to_stream, to_record_id, to_at,
  run_id, matched_at,
  not (books_internal.is_reversed(from_entity, from_entry_id) or books_internal.is_reversed(to_entity, to_entry_id)) as stands
from reconcile.own_transfers;
comment on view books.own_transfers is
  'One row per pair of entries that move units from one of our entities to another, or over a chain to another pocket of the same.';
comment on column books.own_transfers.from_entity is 'Entity that sent.';
comment on column books.own_transfers.from_entry_id is 'Its entry.';
comment on column books.own_transfers.to_entity is 'Entity that received.';
comment on column books.own_transfers.to_entry_id is 'Its entry.';
comment on column books.own_transfers.amount_out is 'Amount that left, in units of the currency; positive.';
comment on column books.own_transfers.amount_in is 'Amount that arrived, in units of the currency; positive.';
comment on column books.own_transfers.grounds is 'Why they are one transfer: record, pocket, user, or amount and time; on a chain address, hash, or address and hash.';
comment on column books.own_transfers.time_apart is 'Time between the two, never negative.';
comment on column books.own_transfers.from_stream is 'Stream of the sending record.';
comment on column books.own_transfers.from_record_id is 'The sending record.';
comment on column books.own_transfers.from_at is 'Effective date of the sending entry.';
comment on column books.own_transfers.to_stream is 'Stream of the receiving record.';
comment on column books.own_transfers.to_record_id is 'The receiving record.';
comment on column books.own_transfers.to_at is 'Effective date of the receiving entry.';
comment on column books.own_transfers.matched_at is 'When they were paired.';
comment on column books.own_transfers.stands is 'True while neither entry is reversed.';

-- Those moves of an entity to and from people and chains that are in no valid pair.
create function books_internal.lone_outside_moves(entity text, since timestamptz, until timestamptz)
returns table (entity_id text, entry_id uuid, currency text, effective_at timestamptz, stream text, record_id text, amount numeric,
  pocketed numeric, names_entity text, names_by text, elsewhere boolean, is_chain boolean, address text, network text, hash text,
  pocket_id text)
language sql stable parallel safe as $$
  select m.*
  from books_internal.outside_moves(entity, since, until) m
  where not exists (
    select from books.own_transfers o
    where (o.from_entity, o.from_entry_id, o.currency) = (m.entity_id, m.entry_id, m.currency) and o.stands
  ) and not exists (
    select from books.own_transfers o
    where (o.to_entity, o.to_entry_id, o.currency) = (m.entity_id, m.entry_id, m.currency) and o.stands
  )
$$;

create view books.social_payments as
with paid as ( -- each order with its wallet transaction: by its id, or the nearest in time if no other is as near
  select o.entity_id, o.record_id as order_id, o.recipient_type, o.pocket_id, o.amount, o.currency, o.status, o.user_id, o.created_at,
    o.status_at, o.expires_at, coalesce(own.record_id, near.record_id) as paid_by, own.record_id is not null as is_by_id,
    count(*) over each as orders, count(own.record_id) over each as orders_by_id,
    case
      when o.status in ('cancelled', 'expired', 'error') then coalesce(o.status_at, o.expires_at)
      when o.status in ('waiting-funds', 'pending') and o.expires_at <= t.newest_at - interval '1 day' then o.expires_at
    end as ended_at
  from books.social_pay_orders o
  left join books_internal.lists t on (t.entity_id, t.stream, t.scope) = (o.entity_id, 'wallet-transactions', '')
  left join books_internal.latest_records own
    on (own.entity_id, own.stream, own.record_id) = (o.entity_id, 'wallet-transactions', o.wallet_transaction_id)
  left join lateral (
    select min(c.record_id) as record_id
    from (
      select r.record_id, rank() over (order by greatest(r.record_at - side.instant, side.instant - r.record_at)) as place
      from (values ('origin', 'destination', o.created_at), ('destination', 'origin', coalesce(o.status_at, o.created_at)))
        as side (near, far, instant)
      join books_internal.latest_records r on (r.entity_id, r.stream, r.scope) = (o.entity_id, 'wallet-transactions', '')
        and r.record_at between side.instant - interval '1 hour' and side.instant + interval '1 hour'
      cross join lateral (select r.payload::jsonb as j) as parsed
      where (j ->> 'subtype' = 'social-pay' or lower(j #>> array[side.far, 'class']) in ('email', 'phone', 'alias'))
        and coalesce(j ->> 'subtype', '') <> 'reimbursement'
        and lower(j #>> array[side.near, 'pocketId']) = lower(o.pocket_id) and j #>> array[side.near, 'currency'] = o.currency
        and o.amount in (books_internal.amount_of(j #>> array[side.near, 'amount']),
          books_internal.amount_of(j #>> array[side.far, 'amount']))
    ) as c
    where c.place = 1
    having count(*) = 1
  ) as near on own.record_id is null
  window each as (partition by o.entity_id, coalesce(own.record_id, near.record_id))
), directed as (
  select p.*, w.record_id, w.outcome = 'set aside: cancelled' as is_cancelled,
    case
      when w.record_id is not null and p.is_by_id then 'id'
      when w.record_id is not null then 'pocket, amount and time'
    end as grounds,
    case
      when w.origin_pocket_id <> '' and coalesce(w.destination_pocket_id, '') = '' then 'sent'
      when w.destination_pocket_id <> '' and coalesce(w.origin_pocket_id, '') = '' then 'received'
      when p.user_id in (n.gateway_user_id, n.subaccount_id) then 'sent'
      when p.user_id <> '' and coalesce(n.gateway_user_id, n.subaccount_id) is not null then 'received'
    end as direction
  from paid p
  join run.entities n using (entity_id)
  left join books.wallet_transactions w on (w.entity_id, w.record_id) = (p.entity_id, p.paid_by)
    and (p.orders = 1 or (p.is_by_id and p.orders_by_id = 1))
), returned as (
  select d.*, back.record_id as return_record_id, back.record_at as returned_at,
    row_number() over (partition by d.entity_id, back.record_id order by back.apart) = 1
      and count(*) over (partition by d.entity_id, back.record_id, back.apart) = 1 as is_nearest
  from directed d
  left join lateral (
    select min(c.record_id) as record_id, min(c.record_at) as record_at, min(c.apart) as apart
    from (
      select r.record_id, r.record_at, gap.apart, rank() over (order by gap.apart) as place
      from books_internal.latest_records r
      cross join lateral (select greatest(r.record_at - d.ended_at, d.ended_at - r.record_at) as apart) as gap
      cross join lateral (select r.payload::jsonb as j) as parsed
      where (r.entity_id, r.stream, r.scope) = (d.entity_id, 'wallet-transactions', '')
        and r.record_at between d.created_at and d.ended_at + interval '7 days'
        and j ->> 'subtype' = 'reimbursement' and lower(j #>> '{destination,pocketId}') = lower(d.pocket_id)
        and j #>> '{destination,currency}' = d.currency and books_internal.amount_of(j #>> '{destination,amount}') = d.amount
    ) as c
    where c.place = 1
    having count(*) = 1
  ) as back on d.direction = 'sent' and not coalesce(d.is_cancelled, false)
)
select r.entity_id, r.order_id, r.record_id, r.grounds, r.direction, r.recipient_type, r.pocket_id, r.amount, r.currency, r.status,
  r.created_at, r.status_at, r.expires_at, r.ended_at,
  coalesce(r.direction = 'sent', false) and r.status in ('waiting-funds', 'pending') and r.ended_at is null
    and not coalesce(r.is_cancelled, false) as may_return,
  coalesce(r.is_cancelled, false) or (r.return_record_id is not null and r.is_nearest) as is_returned,
  case when r.is_nearest then r.return_record_id end as return_record_id, case when r.is_nearest then r.returned_at end as returned_at
from returned r;
comment on view books.social_payments is
  'One row per social-pay order, sent or received, with the wallet transaction that paid it and the one that returned the money. The recipient is personal data and not shown.';
comment on column books.social_payments.order_id is 'Social-pay order (books.social_pay_orders).';
comment on column books.social_payments.record_id is 'Wallet transaction that paid it; null if none is found, or several fit equally.';
comment on column books.social_payments.grounds is
  'Why that record: id (the order names it), or pocket, amount and time (the nearest within an hour, with the same currency); null if none is found.';
comment on column books.social_payments.direction is 'sent or received; null if neither the record nor the order says it.';
comment on column books.social_payments.recipient_type is 'How the recipient is named: email, phone or alias.';
comment on column books.social_payments.pocket_id is 'Pocket that the order names.';
comment on column books.social_payments.amount is 'Amount of the order in units of the currency; positive.';
comment on column books.social_payments.status is 'waiting-funds, pending, accepted, cancelled, expired or error, as last received.';
comment on column books.social_payments.status_at is 'When it took its status; null if its history does not say.';
comment on column books.social_payments.expires_at is 'When it expires if nobody claims it; null if it cannot be read.';
comment on column books.social_payments.ended_at is
  'When it was cancelled or expired; also if its status still waits and the wallet has records of a day after the expiry. Null while it can be claimed and once it is accepted.';
comment on column books.social_payments.may_return is 'True if it was sent, can still be claimed, and so returns if nobody does.';
comment on column books.social_payments.is_returned is 'True if the money returned: by a record of its own, or because the payment was cancelled.';
comment on column books.social_payments.return_record_id is 'Wallet transaction that returned the money; null if none is found, or several fit equally.';
comment on column books.social_payments.returned_at is 'Time of that record.';
