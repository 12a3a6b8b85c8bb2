-- Proof of the list of open lots: it names the lots of which units or cost are left after all their uses, and no other.
-- For: verify ledger. Ties to: books.lots; value.lots_left, from which the list can be filled again.
--   psql -f sql/proofs/open_lots.sql
with used as (
  select lot_entity_id as entity_id, lot_id, sum(units) as units, sum(cost) as cost from value.uses where lot_id is not null group by 1, 2
), compared as (
  select entity_id, lot_id, o.lot_id is not null as is_listed,
    coalesce(l.units <> coalesce(u.units, 0) or l.cost <> coalesce(u.cost, 0), false) as is_left, (o.taxpayer, o.period) <> (l.taxpayer, l.period) as is_other
  from value.lots l
  left join used u using (entity_id, lot_id)
  full join value.open_lots o using (entity_id, lot_id)
)
select count(*) as checked, count(*) filter (where is_fault) as faults, min(format('%s of %s is %s', lot_id, entity_id,
  case when is_left and is_listed then 'listed under another month or taxpayer' when is_left then 'open and not listed' else 'listed and not open' end)
  collate "C") filter (where is_fault) as first
from compared
cross join lateral (select is_listed <> is_left or coalesce(is_other, false) as is_fault) as judged;
