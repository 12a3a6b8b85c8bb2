-- Paired legs: of legs that are one side of a transfer between our own accounts, the pool through which the other side went if it was
-- valued in a closed month: in-transit, external, or none for a third party's; and for an arrival the entity that sent it and the
-- entries of that record (sent_by, sent_as), of which one has the lots, and how much more arrived than was sent (surplus; of a departure
-- only if less arrived, in a closed month). What people entered as the fee of a transfer is one more arrival of it: its surplus is what all such fees
-- have in excess of what did not arrive. closed_fee: what a closed month valued as such a fee of a transfer that stands now, on
-- the side that is not closed, and closed_fees its entries. Entry by entry, so that the plan does not depend on statistics; alone, because most
-- entries are of no transfer, and planning this takes longer than running it.
-- For: valuation. Ties to: books.own_transfers.
--   psql -v entities='{main}' -v entries='{00000000-0000-8000-8000-000000000000}' -v legs='{0}' -v currencies='{EUR}' -v arrivals='{t}' -v closed=2026-09 -f sql/valuation/paired_legs.sql
select o.entity_id, o.entry_id, o.leg, other.closed_pool, coalesce(sent.entity_id, case when other.surplus < 0 then o.entity_id end) as sent_by,
  sent.entry_ids as sent_as, coalesce(sent.surplus, case when other.surplus < 0 then trim_scale(other.surplus)::text end) as surplus,
  charged.units::text as closed_fee, charged.fees as closed_fees
from unnest(:'entities'::text[], :'entries'::uuid[], :'legs'::integer[], :'currencies'::text[], :'arrivals'::boolean[])
  as o (entity_id, entry_id, leg, currency, is_arrival)
left join lateral (
  select side.is_short, side.surplus, coalesce((
      select l.pool from value.lots l where (l.entity_id, l.entry_id, l.currency) = (side.entity_id, side.entry_id, o.currency) and l.pool in ('external', 'in-transit')
      union all
      select u.pool from value.uses u where (u.entity_id, u.entry_id, u.currency) = (side.entity_id, side.entry_id, o.currency) and u.pool in ('external', 'in-transit')
      limit 1
    ), 'none') as closed_pool
  from (
    select t.entity_id, t.entry_id, t.is_sent and t.stands and t.amount_in < t.amount_out as is_short, case when t.is_sent and t.is_received and t.stands
        and t.amount_in < t.amount_out then t.amount_in - t.amount_out + books_internal.fee_entered(o.entity_id, o.entry_id, o.currency) end as surplus
    from books_internal.transfers_of(o.entity_id, o.entry_id) t
    where t.currency = o.currency and (t.is_sent or t.is_received)
    union all
    select f.from_entity, f.from_entry_id, false, null
    from ledger.entries e
    cross join lateral books_internal.transfer_fees_of(e.entity_id, e.entry_id) f
    where (e.entity_id, e.entry_id, e.stream) = (o.entity_id, o.entry_id, 'manual') and f.currency = o.currency
  ) as side
  where exists (
    select from value.postings p where (p.entity_id, p.entry_id) = (side.entity_id, side.entry_id) and p.period <= :'closed'
  )
  order by side.entry_id desc limit 1
) as other on true
left join lateral (
  select k.entity_id, k.entry_id, k.is_short, array(
    select e.entry_id::text from ledger.entries e
    where (e.entity_id, e.stream, e.record_id) = (s.entity_id, s.stream, s.record_id) and e.reverses is null
  ) as entry_ids, trim_scale(k.surplus)::text as surplus
  from (
    select t.entity_id, t.entry_id, t.stands and t.amount_in < t.amount_out as is_short, case when t.stands
        then t.amount_in - t.amount_out + books_internal.fee_entered(t.entity_id, t.entry_id, t.currency) else 0 end as surplus
    from books_internal.transfers_of(o.entity_id, o.entry_id) t
    where t.currency = o.currency and not t.is_sent and t.is_received
    union all
    select f.from_entity, f.from_entry_id, false, greatest(k.amount_in - k.amount_out + books_internal.fee_entered(f.from_entity, f.from_entry_id, f.currency), 0)
    from ledger.entries e
    cross join lateral books_internal.transfer_fees_of(e.entity_id, e.entry_id) f
    join books.own_transfers k using (from_entity, from_entry_id, to_entity, to_entry_id, currency)
    where (e.entity_id, e.entry_id, e.stream) = (o.entity_id, o.entry_id, 'manual') and f.currency = o.currency
  ) as k
  join ledger.entries s on (s.entity_id, s.entry_id) = (k.entity_id, k.entry_id)
  where o.is_arrival
  limit 1
) as sent on true
cross join lateral (
  select case when sent.is_short then sent.entity_id when other.is_short then o.entity_id end as from_entity,
    case when sent.is_short then sent.entry_id else o.entry_id end as from_entry_id
) as short
left join lateral (
  select trim_scale(sum(f.amount)) as units, string_agg(e.stream || ' ' || e.record_id, ', ' order by e.record_id collate "C") as fees
  from books_internal.transfer_fees f
  join ledger.entries e on (e.entity_id, e.entry_id) = (f.entity_id, f.entry_id)
  where short.from_entity is not null and (f.from_entity, f.from_entry_id, f.currency) = (short.from_entity, short.from_entry_id, o.currency) and f.stands
    and exists (select from value.postings p where (p.entity_id, p.entry_id) = (f.entity_id, f.entry_id) and p.period <= :'closed')
    and not exists (select from value.uses u where (u.entity_id, u.entry_id, u.pool) = (f.entity_id, f.entry_id, 'in-transit'))
) as charged on true;
