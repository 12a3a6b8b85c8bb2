-- Charged fees: how many units of some lots in transit left as a fee that people entered of their transfer, without what was reversed up to
-- the end of a month, and the entries of the fees.
-- For: valuation. Ties to: value.uses, ledger.entries.
--   psql -v entities='{main}' -v lots='{a/1}' -v period=2026-10 -f sql/valuation/charged_fees.sql
select w.entity_id, w.lot_id, trim_scale(sum(u.units))::text as units,
  string_agg(distinct e.stream || ' ' || e.record_id, ', ' order by e.stream || ' ' || e.record_id) as fees
from unnest(:'entities'::text[], :'lots'::text[]) as w (entity_id, lot_id)
join value.uses u on (u.lot_entity_id, u.lot_id, u.kind) = (w.entity_id, w.lot_id, 'disposal')
join ledger.entries e on (e.entity_id, e.entry_id) = (u.entity_id, u.entry_id)
where e.stream = 'manual' and not exists (
  select from ledger.entries r
  where (r.entity_id, r.stream, r.record_id, r.ordinal) = (e.entity_id, e.stream, e.record_id, e.ordinal + 1)
    and r.reverses = e.entry_id and r.period <= :'period'
)
group by 1, 2;
