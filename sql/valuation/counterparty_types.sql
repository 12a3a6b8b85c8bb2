-- Counterparty types: the counterparty type of each leg of some entries, whether the leg is one side of a transfer between our own
-- accounts (is_paired), the entities that the counterparty's name may belong to (whose), and the pool through which the other side went
-- if it was valued in a closed month: in-transit, external, or none for a third party's; and for an arrival the entity that sent it and the
-- entries of that record (sent_by, sent_as), of which one has the lots, and how much more arrived than was sent (surplus). What people
-- entered as the fee of a transfer arrives of it, too. Entry by
-- entry, so that the plan does not depend on statistics.
-- For: valuation. Ties to: books.outside.
--   psql -v entities='{main}' -v entries='{00000000-0000-8000-8000-000000000000}' -v closed=2026-09 -f sql/valuation/counterparty_types.sql
select o.entity_id, o.entry_id, o.leg, o.counterparty_type, own.is_paired, array(
  select k.entity_id from books.profiles k where o.counterparty in (k.entity_id, k.legal_name)
) as whose, other.closed_pool, sent.entity_id as sent_by, sent.entry_ids as sent_as, sent.surplus
from unnest(:'entities'::text[], :'entries'::uuid[]) as wanted (entity_id, entry_id)
cross join lateral (
  select * from books.outside leg where (leg.entity_id, leg.entry_id) = (wanted.entity_id, wanted.entry_id) offset 0
) as o
cross join lateral (select starts_with(o.rule, 'own transfer: ') as is_paired) as own
left join lateral (
  select coalesce((
      select l.pool from value.lots l where (l.entity_id, l.entry_id, l.currency) = (side.entity_id, side.entry_id, o.currency) and l.pool in ('external', 'in-transit')
      union all
      select u.pool from value.uses u where (u.entity_id, u.entry_id, u.currency) = (side.entity_id, side.entry_id, o.currency) and u.pool in ('external', 'in-transit')
      limit 1
    ), 'none') as closed_pool
  from (
    select to_entity as entity_id, to_entry_id as entry_id from books.own_transfers
    where (from_entity, from_entry_id, currency) = (o.entity_id, o.entry_id, o.currency) and stands
    union all
    select from_entity, from_entry_id from books.own_transfers
    where (to_entity, to_entry_id, currency) = (o.entity_id, o.entry_id, o.currency) and stands
    union all
    select from_entity, from_entry_id from books_internal.transfer_fees
    where o.stream = 'manual' and (entity_id, entry_id, currency) = (o.entity_id, o.entry_id, o.currency)
  ) as side
  where own.is_paired and exists (
    select from value.postings p where (p.entity_id, p.entry_id) = (side.entity_id, side.entry_id) and p.period <= :'closed'
  )
  limit 1
) as other on true
left join lateral (
  select k.from_entity as entity_id, array(
    select e.entry_id::text from ledger.entries e
    where (e.entity_id, e.stream, e.record_id) = (s.entity_id, s.stream, s.record_id) and e.reverses is null
  ) as entry_ids, trim_scale(k.surplus)::text as surplus
  from (
    select from_entity, from_entry_id,
      amount_in - amount_out + case when amount_in < amount_out then books_internal.fee_entered(from_entity, from_entry_id, currency) else 0 end as surplus
    from books.own_transfers
    where (to_entity, to_entry_id, currency) = (o.entity_id, o.entry_id, o.currency) and stands
    union all
    select from_entity, from_entry_id, 0 from books_internal.transfer_fees
    where o.stream = 'manual' and (entity_id, entry_id, currency) = (o.entity_id, o.entry_id, o.currency)
  ) as k
  join ledger.entries s on (s.entity_id, s.entry_id) = (k.from_entity, k.from_entry_id)
  where own.is_paired and o.amount < 0
  limit 1
) as sent on true;
