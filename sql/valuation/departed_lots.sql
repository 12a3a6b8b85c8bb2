-- Departed lots: the legs of an own transfer that an entry corrects after a closed month had received it. Before and after the correction
-- the same units leave the same place for the same arrival, so their lots are where that took them. One row per leg: in the entry that the
-- closed month valued (was_entry_id, was_leg, cost, and whether a part of it has none) and in the one that stands for it (entry_id, leg).
-- For: valuation. Ties to: books.own_transfers, value.postings.
--   psql -v entity=main -v entry=00000000-0000-8000-8000-000000000000 -v closed=2026-09 -f sql/valuation/departed_lots.sql
with chain as (
  select e.entity_id, e.entry_id, e.ordinal, e.reverses, exists (
    select from value.postings p where (p.entity_id, p.entry_id) = (e.entity_id, e.entry_id) and p.period <= :'closed'
  ) as is_closed
  from ledger.entries entry
  join ledger.entries e on (e.entity_id, e.stream, e.record_id) = (entry.entity_id, entry.stream, entry.record_id)
  where (entry.entity_id, entry.entry_id) = (:'entity', :'entry'::uuid)
), was as (
  select * from (select * from chain where is_closed order by ordinal desc limit 1) as last_closed where reverses is null
), standing as (
  select * from chain where reverses is null and not is_closed order by ordinal desc limit 1
)
select sent.entry_id as was_entry_id, sent.leg as was_leg, resent.entry_id, resent.leg, resent.currency, resent.amount::text as units,
  valued.cost::text as cost, valued.is_open
from was
cross join standing
join books.own_transfers o on (o.from_entity, o.from_entry_id) = (standing.entity_id, standing.entry_id) and o.stands
join ledger.transfers sent on (sent.entity_id, sent.entry_id, sent.currency) = (was.entity_id, was.entry_id, o.currency)
join ledger.transfers resent on (resent.entity_id, resent.entry_id, resent.currency) = (standing.entity_id, standing.entry_id, o.currency)
cross join lateral (
  select sum(p.exact) as cost, bool_or(p.exact is null) as is_open
  from value.postings p
  where (p.entity_id, p.entry_id, p.account, p.currency) = (sent.entity_id, sent.entry_id, sent.debit, sent.currency)
) as valued
where sent.debit like 'equity:external:%' and (resent.debit, resent.amount) = (sent.debit, sent.amount)
  and (resent.credit = sent.credit or (resent.credit like 'assets:pocket:%' and sent.credit like 'assets:pocket:%'))
  and exists (
    select from reconcile.own_transfers k
    where (k.from_entity, k.from_entry_id, k.to_entity, k.to_entry_id, k.currency) = (was.entity_id, was.entry_id, o.to_entity, o.to_entry_id, o.currency)
  ) and exists (
    select from value.uses u
    where (u.entity_id, u.entry_id, u.currency) = (o.to_entity, o.to_entry_id, o.currency) and u.pool in ('outside', 'in-transit') and u.period <= :'closed'
  );
