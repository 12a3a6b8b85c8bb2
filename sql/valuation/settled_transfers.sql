-- Settled transfers: the legs of an own transfer's side that an entry corrects after a closed month has valued its arrival. Before and after
-- the correction the same units go the same way between the same two, so their lots are where that month took them. One row per leg: in the
-- entry that the closed month valued (was_entry_id, was_leg, cost, and whether a part of it has none) and in the one in its place (entry_id, leg).
-- undone_by: the entry by which a closed month cancelled a departure, which stands again.
-- For: valuation. Ties to: books.own_transfers, value.postings.
--   psql -v entity=main -v entry=00000000-0000-8000-8000-000000000000 -v closed=2026-09 -f sql/valuation/settled_transfers.sql
with chain as (
  select e.entity_id, e.entry_id, e.ordinal, e.reverses, exists (
    select from value.postings p where (p.entity_id, p.entry_id) = (e.entity_id, e.entry_id) and p.period <= :'closed'
  ) as is_closed
  from ledger.entries entry
  join ledger.entries e on (e.entity_id, e.stream, e.record_id) = (entry.entity_id, entry.stream, entry.record_id)
  where (entry.entity_id, entry.entry_id) = (:'entity', :'entry'::uuid)
), was as (
  select last_closed.*, r.entry_id as undone_by
  from (select * from chain where is_closed and reverses is null order by ordinal desc limit 1) as last_closed
  left join chain r on r.reverses = last_closed.entry_id and r.is_closed
), standing as (
  select * from chain where reverses is null and not is_closed order by ordinal desc limit 1
), pair as ( -- that of today, if it was one before, too
  select o.currency, o.to_entity as arrival_entity, o.to_entry_id as arrival_id
  from was
  cross join standing
  join books.own_transfers o on (o.from_entity, o.from_entry_id) = (standing.entity_id, standing.entry_id) and o.stands
  join reconcile.own_transfers k on (k.from_entity, k.from_entry_id, k.to_entity, k.to_entry_id, k.currency)
    = (was.entity_id, was.entry_id, o.to_entity, o.to_entry_id, o.currency)
  union all
  select o.currency, was.entity_id, was.entry_id
  from was
  cross join standing
  join books.own_transfers o on (o.to_entity, o.to_entry_id) = (standing.entity_id, standing.entry_id) and o.stands
  join reconcile.own_transfers k on (k.from_entity, k.from_entry_id, k.to_entity, k.to_entry_id, k.currency)
    = (o.from_entity, o.from_entry_id, was.entity_id, was.entry_id, o.currency)
  where was.undone_by is null
), leg as (
  select t.entity_id, t.entry_id, t.leg, t.currency, t.amount, far.account,
    regexp_replace(t.debit, '^assets:pocket:.*', '') as debit, regexp_replace(t.credit, '^assets:pocket:.*', '') as credit
  from ledger.transfers t
  cross join lateral (select case when t.debit like 'equity:external:%' then t.debit else t.credit end as account) as far
  where far.account like 'equity:external:%'
)
select old.entry_id as was_entry_id, old.leg as was_leg, was.undone_by, new.entry_id, new.leg, new.currency, new.amount::text as units,
  case when old.debit = old.account then valued.cost else -valued.cost end::text as cost, valued.is_open
from was
cross join standing
cross join pair
join leg old on (old.entity_id, old.entry_id, old.currency) = (was.entity_id, was.entry_id, pair.currency)
join leg new on (new.entity_id, new.entry_id, new.currency) = (standing.entity_id, standing.entry_id, pair.currency)
  and (new.debit, new.credit, new.amount) = (old.debit, old.credit, old.amount)
cross join lateral (
  select sum(p.exact) as cost, bool_or(p.exact is null) as is_open
  from value.postings p
  where (p.entity_id, p.entry_id, p.account, p.currency) = (old.entity_id, old.entry_id, old.account, old.currency)
) as valued
where exists (
  select from value.uses u
  where (u.entity_id, u.entry_id, u.currency) = (pair.arrival_entity, pair.arrival_id, pair.currency) and u.pool in ('outside', 'in-transit') and u.period <= :'closed'
);
