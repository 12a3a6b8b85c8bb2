-- Closed departures: of an arrival from another of our own accounts, the entries of the departure's record that put lots in transit in closed months, by
-- asset, and the last of these months.
-- For: valuation, which reports an arrival that is cancelled after that. Ties to: books.own_transfers, value.lots.
--   psql -v entity=main -v entry=00000000-0000-8000-8000-000000000000 -v closed=2026-09 -f sql/valuation/closed_departures.sql
select s.entity_id, l.currency, max(l.period) as month, array_agg(distinct s.entry_id::text) as entries
from ledger.entries e
join ledger.entries own on (own.entity_id, own.stream, own.record_id) = (e.entity_id, e.stream, e.record_id)
join reconcile.own_transfers k on (k.to_entity, k.to_entry_id) = (own.entity_id, own.entry_id)
join ledger.entries paired on (paired.entity_id, paired.entry_id) = (k.from_entity, k.from_entry_id)
join ledger.entries s on (s.entity_id, s.stream, s.record_id) = (paired.entity_id, paired.stream, paired.record_id)
join value.lots l on (l.entity_id, l.entry_id, l.currency, l.pool) = (s.entity_id, s.entry_id, k.currency, 'in-transit')
where (e.entity_id, e.entry_id) = (:'entity', :'entry'::uuid) and e.reverses is null and s.reverses is null and l.period <= :'closed'
group by s.entity_id, l.currency
order by s.entity_id collate "C", l.currency collate "C";
