-- Own transfers: a transfer whose record names a pocket or a user of another of our entities, and that has no counterpart in the
-- books of that entity, although both are read a day further.
-- For: reconcile, once every entity is booked. Across entities. Severity: break.
-- What to do: look the transfer up on the platform from both sides; if the other side is listed there, run extract --full for
-- the entity that lacks it, or settle its reject; if it is not, the platform owes it.
--   psql -v run=<run_id> -f sql/checks/own_transfers.sql
select m.entity_id, m.stream || ' ' || m.record_id as subject, null as account, m.currency, 0::numeric as reported,
  m.amount as booked, -m.amount as difference,
  format('%s %s went %s %s, whose books lack it: the record names its %s, and no record there matches', trim_scale(abs(m.amount)), m.currency,
    case when m.amount > 0 then 'to' else 'out of' end, m.names_entity, m.names_by) as reason,
  m.effective_at as since
from reconcile.own_days d
cross join lateral books_internal.lone_person_moves(d.entity_id, d.effective_day::timestamp at time zone 'UTC',
  (d.effective_day + 1)::timestamp at time zone 'UTC') m
where d.currency = m.currency and d.lone > 0 and m.names_entity is not null
  and 2 = (
    select count(*) from land.coverage c
    where c.entity_id in (m.entity_id, m.names_entity) and c.stream = 'wallet-transactions'
      and c.covered @> m.effective_at and upper(c.covered) >= m.effective_at + interval '24:00:00'
  )
  and exists (select from books.runs where run_id = :'run'::uuid)
order by m.entity_id, subject
