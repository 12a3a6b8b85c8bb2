-- The authorization webhook: what the platform wanted to do, what the answer was, and which record followed.
-- For: whoever configures the answers; support.
--   psql -f sql/views/29-authorizations.sql

create view books.authorization_deliveries as
select a.entity_id, a.delivery_number, a.received_at, a.transaction_id, a.user_id, u.entity_id as user_entity_id,
  a.transaction_type, a.amount, a.currency, a.is_authorized, a.reason, a.body, a.body_sha256
from land.authorizations a
left join lateral (
  select n.entity_id from run.entities n where a.user_id in (n.subaccount_id, n.gateway_user_id)
  order by coalesce(n.subaccount_id = a.user_id, false) desc, n.entity_id limit 1
) as u on true;
comment on view books.authorization_deliveries is
  'One row per request to the authorization webhook that had the key and was JSON, with the answer that it got.';
comment on column books.authorization_deliveries.entity_id is 'Entity under which it was stored: that of the user, or that of the main account for a user without books at the time.';
comment on column books.authorization_deliveries.delivery_number is 'Number within the entity, from 1 without a gap.';
comment on column books.authorization_deliveries.received_at is 'When it was received and answered.';
comment on column books.authorization_deliveries.transaction_id is 'Transaction that it is about; null if it cannot be read.';
comment on column books.authorization_deliveries.user_id is 'User of the gateway; null if it names none.';
comment on column books.authorization_deliveries.user_entity_id is 'Entity of that user today; null if no books belong to the user.';
comment on column books.authorization_deliveries.transaction_type is 'Type as received; null if it names none.';
comment on column books.authorization_deliveries.amount is 'Amount in units of the currency; null if it cannot be read.';
comment on column books.authorization_deliveries.currency is 'Currency as received; null if it cannot be read.';
comment on column books.authorization_deliveries.is_authorized is 'Whether the answer authorized it.';
comment on column books.authorization_deliveries.reason is 'Why the answer was given.';
comment on column books.authorization_deliveries.body is 'Body as received, byte for byte; personal values are replaced by commitments.';
comment on column books.authorization_deliveries.body_sha256 is 'SHA-256 of the body as received, in hex.';

create view books.authorizations as
with transactions as (
  select distinct on (books_of.entity_id, d.transaction_id, d.user_id) books_of.entity_id, d.transaction_id, d.user_id,
    d.user_entity_id is not null as is_known_user, d.transaction_type, d.amount, d.currency, d.is_authorized, d.reason,
    d.received_at as first_received_at, count(*) over each as deliveries
  from books.authorization_deliveries d
  cross join lateral (select coalesce(d.user_entity_id, d.entity_id) as entity_id) as books_of
  where d.transaction_id is not null
  window each as (partition by books_of.entity_id, d.transaction_id, d.user_id)
  order by books_of.entity_id, d.transaction_id, d.user_id, d.received_at, d.delivery_number
), followed as (
  select t.*, r.record_id is not null as is_followed, r.outcome, r.record_at, r.version,
    (t.currency, t.amount) in (
      (j #>> '{origin,currency}', books_internal.amount_of(j #>> '{origin,amount}')),
      (j #>> '{destination,currency}', books_internal.amount_of(j #>> '{destination,amount}')),
      (j #>> '{destination,currency}', books_internal.amount_of(j #>> '{destination,amountAfterFees}')),
      (j #>> '{denomination,currency}', books_internal.amount_of(j #>> '{denomination,amount}'))
    ) as is_amount,
    coalesce(books_internal.amount_of(j #>> '{origin,amount}'), books_internal.amount_of(j #>> '{destination,amount}')) as record_amount,
    coalesce(j #>> '{origin,currency}', j #>> '{destination,currency}') as record_currency
  from transactions t
  left join books.records r
    on (r.entity_id, r.stream, r.record_id) = (t.entity_id, 'wallet-transactions', t.transaction_id)
  left join lateral (select r.payload::jsonb as j offset 0) as parsed on true
)
select f.entity_id, f.transaction_id, f.user_id, f.is_known_user, f.transaction_type, f.amount, f.currency, f.is_authorized, f.reason,
  f.first_received_at, f.deliveries, f.record_at, f.record_amount, f.record_currency,
  case
    when f.outcome = 'set aside: cancelled' then 'cancelled'
    when not f.is_authorized and (not f.is_followed or f.outcome = 'set aside: not-final') then 'refused'
    when not f.is_authorized then 'happened anyway'
    when f.is_followed then case when f.is_amount then 'matched' else 'differs' end
    when exists (
      select from land.coverage c
      where (c.entity_id, c.stream) = (f.entity_id, 'wallet-transactions')
        and c.covered @> f.first_received_at and upper(c.covered) >= f.first_received_at + interval '24:00:00'
    ) then 'not followed'
    else 'waiting'
  end as status
from followed f;
comment on view books.authorizations is
  'One row per transaction of a user that the platform wanted authorized: its terms, the first answer, and the wallet transaction of the same id.';
comment on column books.authorizations.entity_id is 'Entity of the user; that of the main account for a user without books.';
comment on column books.authorizations.transaction_id is 'Id of the transaction, and of the wallet transaction that follows.';
comment on column books.authorizations.user_id is 'User of the gateway; null if none was named.';
comment on column books.authorizations.is_known_user is 'Whether books belong to the user.';
comment on column books.authorizations.transaction_type is 'Type as received first; null if none was named.';
comment on column books.authorizations.amount is 'Amount as received first, in units of the currency.';
comment on column books.authorizations.currency is 'Currency as received first.';
comment on column books.authorizations.is_authorized is 'Whether the first answer authorized it; a repeated delivery gets the same answer.';
comment on column books.authorizations.reason is 'Why the first answer was given.';
comment on column books.authorizations.first_received_at is 'When the first delivery was received.';
comment on column books.authorizations.deliveries is 'Number of deliveries.';
comment on column books.authorizations.record_at is 'The record''s own time; null if no record has followed.';
comment on column books.authorizations.record_amount is 'Amount that left the record''s origin, or else that for its destination; null if no record has followed.';
comment on column books.authorizations.record_currency is 'Currency of record_amount.';
comment on column books.authorizations.status is
  'matched (a side of the record has this currency and amount), differs, waiting, not followed (the list is proved 24 hours further), refused, cancelled, or happened anyway (refused, and the record is there).';
