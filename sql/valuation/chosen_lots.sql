-- Chosen lots: the lots that persons named for the disposals of some records, in the order of their files. entries: the one that brought a
-- lot, and later ones of its record. A correction, or the reopening of a month, posts such an entry in place of the first, and a reversal brings
-- lots back. micros: when the lot was acquired, in microseconds since 1970.
-- For: valuation, cost method specific. Ties to: books.lot_choices, ledger.entries.
--   psql -v entities='{main}' -v streams='{trades}' -v records='{t1}' -f sql/valuation/chosen_lots.sql
with disposal as (
  select distinct * from unnest(:'entities'::text[], :'streams'::text[], :'records'::text[]) as d (entity_id, stream, record_id)
)
select c.entity_id, c.stream, c.record_id, c.currency, c.lot_entity_id, c.lot_id, c.units::text as units,
  (extract(epoch from c.acquired_at) * 1000000)::bigint::text as micros, array(
    select later.entry_id::text
    from ledger.entries first
    join ledger.entries later on (later.entity_id, later.stream, later.record_id) = (first.entity_id, first.stream, first.record_id)
      and later.ordinal >= first.ordinal
    where (first.entity_id, first.entry_id) = (c.lot_entity_id, split_part(c.lot_id, '/', 1)::uuid)
    order by later.ordinal
  ) as entries
from disposal join books_internal.chosen_lots c using (entity_id, stream, record_id)
order by c.choice_number;
