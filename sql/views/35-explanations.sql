-- What the lists that move no money say of the records that do: the payments of social-pay orders, and every record explained.
-- For: analysts; the checks of those lists. Ties to: the views of sql/views/10-reference-records.sql.
--   psql -f sql/views/35-explanations.sql

-- The social-pay orders created since an instant, and those without a time, as books.social_payments shows them.
create function books_internal.social_payments_since(created_from timestamptz)
returns table (entity_id text, order_id text, record_id text, grounds text, direction text, recipient_type text, pocket_id text,
  amount numeric, currency text, status text, created_at timestamptz, status_at timestamptz, expires_at timestamptz, ended_at timestamptz,
  may_return boolean, is_returned boolean, return_record_id text, returned_at timestamptz)
language sql stable parallel safe as $$
with paid as ( -- each order with its wallet transaction: by its id, or the nearest in time if no other is as near
  select k.entity_id, k.record_id as order_id, o.recipient_type, o.pocket_id, o.amount, o.currency, o.status, o.user_id, o.created_at,
    o.status_at, o.expires_at, coalesce(own.record_id, near.record_id) as paid_by, own.record_id is not null as is_by_id,
    count(*) over each as orders, count(own.record_id) over each as orders_by_id,
    case
      when o.status in ('cancelled', 'expired', 'error') then coalesce(o.status_at, o.expires_at)
      when o.status in ('waiting-funds', 'pending') and o.expires_at <= t.newest_at - interval '1 day' then o.expires_at
    end as ended_at
  from books_internal.record_versions k
  cross join lateral (
    select * from books.social_pay_orders s where (s.entity_id, s.record_id, s.version) = (k.entity_id, k.record_id, k.version) offset 0
  ) as o
  left join books_internal.lists t on (t.entity_id, t.stream, t.scope) = (k.entity_id, 'wallet-transactions', '')
  left join lateral ( -- by its key, here and below
    select r.record_id from books_internal.latest_records r
    where (r.entity_id, r.stream, r.record_id) = (k.entity_id, 'wallet-transactions', o.wallet_transaction_id) offset 0
  ) as own on true
  left join lateral (
    select min(c.record_id) as record_id
    from (
      select r.record_id, rank() over (order by greatest(r.record_at - side.instant, side.instant - r.record_at)) as place
      from (values ('origin', 'destination', o.created_at), ('destination', 'origin', coalesce(o.status_at, o.created_at)))
        as side (near, far, instant)
      join books_internal.latest_records r on (r.entity_id, r.stream, r.scope) = (k.entity_id, 'wallet-transactions', '')
        and r.record_at between side.instant - interval '1 hour' and side.instant + interval '1 hour'
      cross join lateral (select r.payload::jsonb as j offset 0) as parsed
      where (j ->> 'subtype' = 'social-pay' or lower(j #>> array[side.far, 'class']) in ('email', 'phone', 'alias'))
        and coalesce(j ->> 'subtype', '') <> 'reimbursement'
        and lower(j #>> array[side.near, 'pocketId']) = lower(o.pocket_id) and j #>> array[side.near, 'currency'] = o.currency
        and o.amount in (books_internal.amount_of(j #>> array[side.near, 'amount']),
          books_internal.amount_of(j #>> array[side.far, 'amount']))
    ) as c
    where c.place = 1 and own.record_id is null
    having count(*) = 1
  ) as near on true
  where (k.stream, k.scope) = ('social-pay-orders', '') and (k.record_at >= created_from or k.record_at is null)
  window each as (partition by k.entity_id, coalesce(own.record_id, near.record_id))
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
  join books_internal.gateway_users n using (entity_id)
  left join lateral (
    select * from books.wallet_transactions t
    where (t.entity_id, t.record_id) = (p.entity_id, p.paid_by) and (p.orders = 1 or (p.is_by_id and p.orders_by_id = 1)) offset 0
  ) as w on true
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
      cross join lateral (select r.payload::jsonb as j offset 0) as parsed
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
from returned r
$$;

create view books.social_payments as
select * from books_internal.social_payments_since('-infinity');
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
comment on column books.social_payments.expires_at is 'When it expires if nobody claims it; null if it cannot be read.';
comment on column books.social_payments.ended_at is
  'When it was cancelled or expired; also if its status still waits and the wallet has records of a day after the expiry. Null while it can be claimed and once it is accepted.';
comment on column books.social_payments.may_return is 'True if it was sent, can still be claimed, and so returns if nobody does.';
comment on column books.social_payments.is_returned is 'True if the money returned: by a record of its own, or because the payment was cancelled.';
comment on column books.social_payments.return_record_id is 'Wallet transaction that returned the money; null if none is found, or several fit equally.';
comment on column books.social_payments.returned_at is 'Time of that record.';

-- Each list is joined to the left of the records, and what it lacks is left out by a `case`, which keeps the join one: the planner knows
-- nothing of a list with few rows beside many records, and would read all of these again for each of its rows. The entity is part of one
-- key, because a join by the entity alone compares every record with every row of the list.
create view books.explanations as
with explained as (
  (select distinct on (w.entity_id, w.record_id) w.entity_id, 'wallet-transactions' as stream, w.record_id, 'address-book' as by_stream,
    a.entity_id as by_entity_id, a.record_id as by_record_id,
    case a.ownership when 'own' then 'own wallet' when 'other' then 'other wallet' else 'listed wallet' end as what
  from books.wallet_transactions w
  left join books.address_book a
    on a.entity_id || ' ' || books_internal.address_key(a.address) = w.entity_id || ' ' || books_internal.address_key(w.destination_address)
    and lower(coalesce(w.destination_network, a.network)) = lower(coalesce(a.network, w.destination_network))
  where w.destination_address <> '' and case when a.record_id is null then false else true end
  order by w.entity_id, w.record_id, (a.currency = w.destination_currency) desc nulls last, a.updated_at desc nulls last, a.record_id)
  union all
  (select distinct on (w.entity_id, w.record_id) w.entity_id, 'wallet-transactions', w.record_id, 'deposit-addresses', d.entity_id,
    d.record_id, 'own deposit address'
  from books.wallet_transactions w
  left join books.deposit_addresses d on books_internal.address_key(d.address) = books_internal.address_key(w.destination_address)
    and lower(coalesce(w.destination_network, d.network)) = lower(coalesce(d.network, w.destination_network))
  where w.destination_address <> '' and coalesce(w.destination_pocket_id, '') = '' and case when d.record_id is null then false else true end
  order by w.entity_id, w.record_id, d.entity_id, d.record_id)
  union all
  (select distinct on (w.entity_id, w.record_id) w.entity_id, 'wallet-transactions', w.record_id, 'deposit-addresses', d.entity_id,
    d.record_id, 'received on a deposit address'
  from books.wallet_transactions w
  left join books.deposit_addresses d on d.entity_id || ' ' || lower(d.pocket_id) = w.entity_id || ' ' || lower(w.destination_pocket_id)
    and lower(d.network) = lower(coalesce(w.origin_network, w.destination_network))
  where lower(w.origin_class) in ('blockchain', 'network') and case when d.record_id is null then false else true end
  order by w.entity_id, w.record_id, (d.address = w.destination_address) desc nulls last, d.created_at, d.record_id)
  union all
  select p.entity_id, 'wallet-transactions', paid.record_id, 'social-pay-orders', p.entity_id, p.order_id, paid.what
  from books.social_payments p
  cross join lateral (values
    (p.record_id, case p.direction when 'sent' then 'paid to a person' when 'received' then 'received from a person' end),
    (p.return_record_id, 'returned payment')
  ) as paid (record_id, what)
  where paid.record_id is not null and paid.what is not null
  union all
  select w.entity_id, 'wallet-transactions', w.record_id, 'teller-orders', o.entity_id, o.record_id, 'teller order ' || case
      when o.status in ('waiting-user', 'review', 'accepted', 'cancelled') then o.status else 'pending'
    end
  from books.wallet_transactions w
  join books.teller_orders o on (o.entity_id, o.record_id) = (w.entity_id, w.fee_teller_id)
  union all
  select w.entity_id, 'wallet-transactions', w.record_id, 'pocket-references', q.entity_id, q.record_id, 'bank transfer to a pocket'
  from books.wallet_transactions w
  left join books.pocket_references q on q.entity_id || ' ' || q.pocket_id = w.entity_id || ' ' || lower(w.destination_pocket_id) and q.reference <> ''
  where lower(w.origin_class) like 'bank%' and case when q.record_id is null then false else true end
  union all
  select t.entity_id, 'trades', t.record_id, 'trading-orders', t.entity_id, t.order_id, 'fill of an order'
  from books.trades t
  where exists (
    select from books_internal.record_versions o
    where (o.entity_id, o.stream, o.record_id, o.version) = (t.entity_id, 'trading-orders', t.order_id, 1)
  )
  union all
  select k.entity_id, side.stream, side.record_id, side.by_stream, k.entity_id, side.by_record_id, 'same transfer'
  from books.clearing_matches k
  cross join lateral (values (k.debit_stream, k.debit_record_id, k.credit_stream, k.credit_record_id),
    (k.credit_stream, k.credit_record_id, k.debit_stream, k.debit_record_id)) as side (stream, record_id, by_stream, by_record_id)
  where k.grounds = 'pocket' and k.stands and side.stream = 'earn-movements'
)
select entity_id, stream, record_id, by_stream, by_record_id, what, by_entity_id
from explained;
comment on view books.explanations is
  'One row per record and list that explains it: what the address book, deposit addresses, orders and references say of wallet transactions and trades.';
comment on column books.explanations.stream is 'Stream of the record that is explained.';
comment on column books.explanations.by_stream is
  'List that explains it: address-book, deposit-addresses, social-pay-orders, teller-orders, pocket-references or trading-orders; wallet-transactions for an Earn movement that names the pocket.';
comment on column books.explanations.by_record_id is 'Record of that list.';
comment on column books.explanations.what is
  'own wallet, other wallet, listed wallet (the entry does not say whose); own deposit address, received on a deposit address; paid to a person, received from a person, returned payment; teller order waiting-user, review, accepted, cancelled or pending (unknown ones too); bank transfer to a pocket; fill of an order; same transfer.';
comment on column books.explanations.by_entity_id is 'Entity of that record: another one of ours if the payment goes to its deposit address.';
