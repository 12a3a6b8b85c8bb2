-- Changed months: the months whose values may rest on other sources than when entries up to one number and pairs of own transfers
-- up to one position were counted: those with new entries (is_new), those of the record of an entry that was paired, or whose pair
-- no longer stands because one of its entries was reversed, or of which a person entered the fee, those of such a fee whose transfer has another pair, and
-- those of an entry that a new version in its address book may name.
-- For: valuation, which counts these months again and no others. Ties to: value.sources.
--   psql -v entry_number=0 -v pair_position=0 -f sql/valuation/changed_months.sql
with paired as materialized (
  select entity_id, entry_id from reconcile.paired_since(:'entry_number'::bigint, :'pair_position'::bigint)
)
select entity_id, period, true as is_new from ledger.entries where entry_number > :'entry_number'::bigint group by 1, 2
union
select e.entity_id, e.period, false from paired join ledger.entries e using (entity_id, entry_id)
union
select e.entity_id, e.period, false
from paired
join ledger.entries about using (entity_id, entry_id)
join books.proposals p on (p.entity_id, p.stream, p.record_id, p.action) = (about.entity_id, about.stream, about.record_id, 'adjust')
join ledger.entries e on (e.entity_id, e.stream, e.record_id) = (p.entity_id, 'manual', p.proposal_id)
union
select e.entity_id, e.period, false
from books_internal.transfer_fees f
cross join lateral (values (f.to_entity, f.to_entry_id), (f.from_entity, f.from_entry_id)) as side (entity_id, entry_id)
join ledger.entries e on (e.entity_id, e.entry_id) = (side.entity_id, side.entry_id)
where f.entry_number > :'entry_number'::bigint
union
select e.entity_id, e.period, false
from value.sources s
cross join lateral books_internal.named_by_book(s.entity_id, s.book_request) e;
