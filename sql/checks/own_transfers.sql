-- Own transfers: a transfer whose record names a pocket, a user or a deposit address of ours, and that has no counterpart in the
-- books of that entity, although both are read a day further.
-- For: reconcile, once every entity is booked. Across entities. Severity: break.
-- What to do: look the transfer up on the platform from both sides; if the other side is listed there, run extract --full for
-- the entity that lacks it, or settle its reject; if it is not, the platform owes it.
--   psql -v run=<run_id> -f sql/checks/own_transfers.sql
select m.entity_id, m.stream || ' ' || m.record_id as subject, null as account, m.currency, 0::numeric as reported,
  m.amount as booked, -m.amount as difference,
  format('%s %s went %s %s, whose books lack it: the record names its %s, and no record there matches', trim_scale(abs(m.amount)), m.currency,
    case when m.amount > 0 then 'to' else 'out of' end, coalesce(m.names_entity, addressed.entity_id),
    coalesce(m.names_by, 'deposit address')) as reason,
  m.effective_at as since,
  jsonb_build_object('kind', case when m.amount > 0 then 'own_transfers.out' else 'own_transfers.in' end,
    'records', array[m.stream || ' ' || m.record_id], 'amount', trim_scale(abs(m.amount))::text, 'currency', m.currency,
    'entity', coalesce(m.names_entity, addressed.entity_id)) as reason_parts
from reconcile.own_days d
cross join lateral books_internal.lone_outside_moves(d.entity_id, d.effective_day::timestamp at time zone 'UTC',
  (d.effective_day + 1)::timestamp at time zone 'UTC') m
left join lateral (
  select min(a.entity_id) as entity_id
  from books_internal.own_addresses a
  where m.amount > 0 and a.address = m.address
    and coalesce(a.network, m.network) is not distinct from coalesce(m.network, a.network)
  having count(distinct a.entity_id) = 1
) as addressed on true
where d.currency = m.currency and d.lone > 0 and m.cancelled_at is null and coalesce(m.names_entity, addressed.entity_id) is not null
  and not exists (
    select from unnest(array[m.entity_id, coalesce(m.names_entity, addressed.entity_id)]) as side (entity_id)
    where not exists (
      select from land.coverage c
      where (c.entity_id, c.stream) = (side.entity_id, 'wallet-transactions')
        and c.covered @> m.effective_at and upper(c.covered) >= m.effective_at + interval '24:00:00'
    )
  )
  and exists (select from books.runs where run_id = :'run'::uuid)
order by m.entity_id, subject
