-- Conservation: landed = booked + rejected + set aside per stream and rule version, by count, and by sum per side and
-- currency, as a run stores it for an entity. `streams`: which ones, after commas; every one if it is empty.
-- For: normalize, at the end of booking. Ties to: books_internal.run_conservation.
--   psql -v entity=main -v run=<run_id> -v streams= -f sql/proofs/conservation.sql
with summed as (
  select stream, rule_version, jsonb_agg(jsonb_build_object('side', side, 'currency', currency, 'landed', landed::text,
    'booked', booked::text, 'set_aside', set_aside::text) order by side, currency) as sums
  from books_internal.conservation_sums
  where entity_id = :'entity' and (:'streams' = '' or stream = any (string_to_array(:'streams', ',')))
    and (landed <> 0 or booked <> 0 or set_aside <> 0)
  group by stream, rule_version
), proof as (
  select * from books_internal.conservation_proof
  where entity_id = :'entity' and (:'streams' = '' or stream = any (string_to_array(:'streams', ',')))
)
select :'entity' as entity_id, :'run'::uuid as run_id,
  (select coalesce(max(reading), 0) + 1 from run.conservation where entity_id = :'entity' and run_id = :'run'::uuid) as reading,
  stream, rule_version, coalesce(landed, 0)::int as landed, coalesce(booked, 0)::int as booked,
  coalesce(rejected, 0)::int as rejected, coalesce(set_aside, 0)::int as set_aside,
  coalesce(sums, '[]')::text as sums
from proof full join summed using (stream, rule_version);
