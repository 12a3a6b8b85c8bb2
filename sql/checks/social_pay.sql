-- Social pay: of the orders that changed in the last 30 days and were created in the last 120, an accepted one without its wallet
-- transaction, one that ended a day ago or more and whose money did not return, and one that differs from the wallet transaction
-- that it names. The books follow the wallet transactions, which the balances prove; an order moves no money, and whether its
-- amount includes a fee is not documented.
-- For: reconcile. Severity: note.
-- What to do: look the order up on the platform; if the money has not returned, claim it there.
--   psql -v run=<run_id> -f sql/checks/social_pay.sql
with recent as (
  select p.*, w.outcome, coalesce(p.ended_at, p.status_at, p.created_at) as moved_at, coalesce((p.currency, p.amount) in (
      (w.origin_currency, w.origin_amount), (w.destination_currency, w.destination_amount),
      (w.destination_currency, w.destination_amount_after_fees), (w.denomination_currency, w.denomination_amount)
    ), false) as is_equal,
    trim_scale(coalesce(w.origin_amount, w.destination_amount)) as record_amount,
    coalesce(w.origin_currency, w.destination_currency) as record_currency
  from books.runs r
  cross join lateral books_internal.social_payments_since(r.started_at - interval '120 days') as p
  left join lateral (
    select * from books.wallet_transactions t where (t.entity_id, t.record_id) = (p.entity_id, p.record_id) offset 0
  ) as w on true
  where r.run_id = :'run'::uuid and coalesce(p.ended_at, p.status_at, p.created_at) > r.started_at - interval '30 days'
), judged as (
  select p.*, exists (
      select from books_internal.lists c
      where (c.entity_id, c.stream) = (p.entity_id, 'wallet-transactions') and c.covered @> p.created_at
        and c.covered @> p.moved_at and upper(c.covered) >= p.moved_at + interval '24:00:00'
    ) as is_proved,
    p.direction = 'sent' or exists (
      select from books_internal.pockets q where q.entity_id = p.entity_id and lower(q.pocket_id) = lower(p.pocket_id)
    ) as is_ours
  from recent p
), found as (
  select p.*, case
      when p.status = 'accepted' and p.record_id is null and p.is_ours and p.is_proved
        then format('%s %s were accepted, and no wallet transaction has the id that the order names, or its pocket, amount and time',
          trim_scale(p.amount), p.currency)
      when p.direction = 'sent' and p.outcome = 'booked' and p.ended_at is not null and not p.is_returned and p.is_proved
        then format('the order ended (%s), and no wallet transaction of the subtype reimbursement has returned its %s %s to the pocket %s', p.status,
          trim_scale(p.amount), p.currency, p.pocket_id)
      when p.grounds = 'id' and not p.is_equal
        then format('the order has %s %s, its wallet transaction %s has %s %s', trim_scale(p.amount), p.currency, p.record_id,
          coalesce(p.record_amount::text, 'no amount'), coalesce(p.record_currency, 'without a currency'))
    end as reason
  from judged p
)
select entity_id, 'social-pay-orders ' || order_id as subject, null as account, currency, null::numeric as reported,
  null::numeric as booked, null::numeric as difference, reason
from found
where reason is not null
order by entity_id, subject
