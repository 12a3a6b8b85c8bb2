-- Replaced legs: the legs to and from outside that a reversal takes back and that the entry in its place has again, whatever their amounts: of
-- the reversal (was_leg, was_units) and of the entry (leg, units, with its accounts). is_same: both belong to the transfer between the same
-- two of our records.
-- For: valuation. Ties to: ledger.transfers, books.own_transfers.
--   psql -v entity=main -v reversal=00000000-0000-8000-8000-000000000000 -v entry=00000000-0000-8000-8000-000000000000 -f sql/valuation/replaced_legs.sql
with leg as (
  select t.entry_id, t.leg, t.currency, t.amount, way.debit, way.credit, ends.name,
    row_number() over (partition by t.entry_id, t.currency, ends.name order by t.leg) as nth
  from ledger.transfers t
  cross join lateral (
    select case t.entry_id when :'entry'::uuid then t.debit else t.credit end as debit,
      case t.entry_id when :'entry'::uuid then t.credit else t.debit end as credit
  ) as way
  cross join lateral (
    select regexp_replace(way.debit, '^assets:pocket:.*', 'a pocket') || ' <- ' || regexp_replace(way.credit, '^assets:pocket:.*', 'a pocket') as name
  ) as ends
  where t.entity_id = :'entity' and t.entry_id in (:'reversal'::uuid, :'entry'::uuid) and ends.name like '%equity:external:%'
), own as ( -- what each stands for: a reversal for what it reverses
  select e.entry_id, e.reverses is not null as is_reversal, books_internal.stands_for(e.entity_id, e.entry_id) as stood_id
  from ledger.entries e where e.entity_id = :'entity' and e.entry_id in (:'reversal'::uuid, :'entry'::uuid)
), other as ( -- the record on the other side of the transfer, as it was paired when a closed month was valued and is now
  select own.entry_id, k.currency, o.entity_id, o.stream, o.record_id
  from own
  cross join lateral (
    select t.currency, t.entity_id, t.entry_id from books_internal.transfers_of(:'entity', own.stood_id) t
    union
    select p.currency, p.to_entity, p.to_entry_id from books.own_transfers p
    where own.is_reversal and (p.from_entity, p.from_entry_id) = (:'entity', own.stood_id)
    union
    select p.currency, p.from_entity, p.from_entry_id from books.own_transfers p
    where own.is_reversal and (p.to_entity, p.to_entry_id) = (:'entity', own.stood_id)
  ) as k
  join ledger.entries o on (o.entity_id, o.entry_id) = (k.entity_id, k.entry_id)
)
select old.leg as was_leg, old.amount::text as was_units, new.leg, new.amount::text as units, new.debit, new.credit, exists (
    select from other was
    join other now on (now.currency, now.entity_id, now.stream, now.record_id) = (was.currency, was.entity_id, was.stream, was.record_id)
    where was.entry_id = old.entry_id and now.entry_id = new.entry_id and was.currency = new.currency
  ) as is_same
from leg old
join leg new on (new.currency, new.name, new.nth) = (old.currency, old.name, old.nth)
where old.entry_id = :'reversal'::uuid and new.entry_id = :'entry'::uuid
order by new.leg;
