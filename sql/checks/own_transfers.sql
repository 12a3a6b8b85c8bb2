-- Own transfers: a transfer whose record names a pocket, a user or a deposit address of ours, and that has no counterpart in the
-- books of that entity, one that is cancelled there only, or the same record with another amount or time, although both are read a
-- day further.
-- For: reconcile, once every entity is booked. Across entities. Severity: break.
-- What to do: look the transfer up on the platform from both sides; if the other side is listed there, run extract --full for
-- the entity that lacks it, or settle its reject; if it is not, the platform owes it; if it is cancelled
-- there, or says otherwise, ask the platform which side is right.
--   psql -v run=<run_id> -f sql/checks/own_transfers.sql
select m.entity_id, m.stream || ' ' || m.record_id as subject, null as account, m.currency, 0::numeric as reported,
  m.amount as booked, -m.amount as difference,
  format('%s %s went %s %s, %s', trim_scale(abs(m.amount)), m.currency, case when m.amount > 0 then 'to' else 'out of' end, other_side.entity_id,
    case when cancelled.record is null and differing.says is null
      then format('whose books lack it: the record names its %s, and no record there matches', coalesce(m.names_by, 'deposit address'))
      when cancelled.record is null
      then format('where the same record says otherwise: %s; the record here names its %s', differing.says, coalesce(m.names_by, 'deposit address'))
      else format('where its record is cancelled: the record here names its %s and stands, and %s does not',
        coalesce(m.names_by, 'deposit address'), cancelled.record) end) as reason,
  m.effective_at as since,
  jsonb_build_object('kind', case when m.amount > 0 and cancelled.record is null then 'own_transfers.out'
      when m.amount > 0 then 'own_transfers.out.cancelled'
      when cancelled.record is null then 'own_transfers.in' else 'own_transfers.in.cancelled' end,
    'records', array_remove(array[m.stream || ' ' || m.record_id, cancelled.record], null), 'amount', trim_scale(abs(m.amount))::text,
    'currency', m.currency, 'entity', other_side.entity_id) as reason_parts
from books_internal.own_days d
cross join lateral books_internal.lone_outside_moves(d.entity_id, d.effective_day::timestamp at time zone 'UTC',
  (d.effective_day + 1)::timestamp at time zone 'UTC') m
left join lateral (
  select min(a.entity_id) as entity_id
  from books_internal.own_addresses a
  where m.amount > 0 and a.address = m.address
    and coalesce(a.network, m.network) is not distinct from coalesce(m.network, a.network)
  having count(distinct a.entity_id) = 1
) as addressed on true
cross join lateral (select coalesce(m.names_entity, addressed.entity_id) as entity_id) as other_side
left join lateral (
  select r.stream || ' ' || r.record_id as record
  from books.records r
  join books.wallet_transactions w on (w.entity_id, w.record_id) = (r.entity_id, r.record_id)
  cross join lateral (
    select case when m.amount > 0 then w.destination_currency else w.origin_currency end as currency,
      lower(case when m.amount > 0 then w.destination_pocket_id else w.origin_pocket_id end) as pocket_id
  ) as own
  where (r.entity_id, r.stream, r.scope) = (other_side.entity_id, 'wallet-transactions', '') and r.reason = 'cancelled'
    and r.record_at between m.effective_at - interval '7 days' and m.effective_at + interval '7 days'
    and own.currency = m.currency and array[w.origin_amount, w.destination_amount, w.destination_amount_after_fees] && array[abs(m.amount), m.pocketed]
    and exists (select from books_internal.pockets p where p.entity_id = r.entity_id and lower(p.pocket_id) = own.pocket_id)
    and case when m.is_chain then w.origin_class = 'blockchain' and (books_internal.address_key(w.transaction_hash) = m.hash) is not false and exists (
        select from books_internal.own_addresses a where (a.entity_id, a.address, a.pocket_id) = (r.entity_id, m.address, own.pocket_id)
      ) else not exists (
        select from books_internal.named_ends n
        where (n.entity_id, n.stream, n.record_id, n.version) = (r.entity_id, r.stream, r.record_id, r.version)
          and n.side = case when m.amount > 0 then 'origin' else 'destination' end and (n.elsewhere or n.names_entity <> m.entity_id)
      ) end
    and not exists (
      select from books_internal.stood s
      cross join lateral books_internal.transfers_of(s.entity_id, s.entry_id)
      where (s.entity_id, s.stream, s.record_id) = (r.entity_id, r.stream, r.record_id)
    )
  order by greatest(r.record_at - m.effective_at, m.effective_at - r.record_at), r.record_id
  limit 1
) as cancelled on true
left join lateral (
  select format('%s %s at %s', trim_scale(own.amount), own.currency,
      to_char(own.effective_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as says
  from books.wallet_transactions w
  cross join lateral (
    select case when m.amount > 0 then coalesce(w.destination_amount_after_fees, w.destination_amount) else w.origin_amount end as amount,
      case when m.amount > 0 then w.destination_currency else w.origin_currency end as currency, coalesce(w.completed_at, w.date) as effective_at
  ) as own
  where (w.entity_id, w.record_id, m.stream) = (other_side.entity_id, m.record_id, 'wallet-transactions') and w.outcome = 'booked'
    and (own.amount, own.currency, own.effective_at) <> (abs(m.amount), m.currency, m.effective_at)
) as differing on true
where d.currency = m.currency and d.lone > 0 and m.cancelled_at is null and other_side.entity_id is not null
  and not exists (
    select from unnest(array[m.entity_id, other_side.entity_id]) as side (entity_id)
    where not exists (
      select from books_internal.lists c
      where (c.entity_id, c.stream) = (side.entity_id, 'wallet-transactions')
        and c.covered @> m.effective_at and upper(c.covered) >= m.effective_at + interval '24:00:00'
    )
  )
  and exists (select from books.runs where run_id = :'run'::uuid)
order by m.entity_id, subject
