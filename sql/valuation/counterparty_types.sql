-- Counterparty types: the counterparty type of each leg of some entries, its currency, whether it arrived, whether it is one side of a
-- transfer between our own accounts (is_paired: sql/valuation/paired_legs.sql has more of these), and the entities that the counterparty's name may
-- belong to (whose). What people entered as the fee of a transfer arrives of it, too, unless that does not stand (is_lone_fee). Entry by entry, so
-- that the plan does not depend on statistics.
-- For: valuation. Ties to: books.outside.
--   psql -v entities='{main}' -v entries='{00000000-0000-8000-8000-000000000000}' -f sql/valuation/counterparty_types.sql
select o.entity_id, o.entry_id, o.leg, o.currency, o.amount < 0 as is_arrival, o.counterparty_type, own.is_paired, array(
  select k.entity_id from books.profiles k where o.counterparty in (k.entity_id, k.legal_name)
) as whose, o.stream = 'manual' and own.is_paired is not true and exists (
  select from books.proposals p where (p.entity_id, p.proposal_id, p.action) = (o.entity_id, o.record_id, 'adjust') and p.record_id <> ''
) as is_lone_fee
from unnest(:'entities'::text[], :'entries'::uuid[]) as wanted (entity_id, entry_id)
cross join lateral (
  select * from books.outside leg where (leg.entity_id, leg.entry_id) = (wanted.entity_id, wanted.entry_id) offset 0
) as o
cross join lateral (select starts_with(o.rule, 'own transfer: ') as is_paired) as own;
