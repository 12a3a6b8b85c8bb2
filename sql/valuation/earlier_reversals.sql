-- Earlier reversals: the reversals of a record before one of its entries that moved lots between our own accounts, the last one first, and
-- whether the entry takes effect after each (is_after).
-- For: valuation. Ties to: ledger.entries, value.uses.
--   psql -v entity=main -v entry=00000000-0000-8000-8000-000000000000 -f sql/valuation/earlier_reversals.sql
select r.entry_id, e.effective_at > r.effective_at as is_after
from ledger.entries e
join ledger.entries r on (r.entity_id, r.stream, r.record_id) = (e.entity_id, e.stream, e.record_id) and r.ordinal < e.ordinal
where (e.entity_id, e.entry_id) = (:'entity', :'entry'::uuid) and r.reverses is not null
  and exists (select from value.uses u where (u.entity_id, u.entry_id) = (r.entity_id, r.entry_id) and u.pool in ('external', 'in-transit'))
order by r.ordinal desc;
