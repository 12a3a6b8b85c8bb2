-- Sealed values: the number and the digest of the stored values and closing balances of a month's seal.
-- For: close, which seals them, and verify. Ties to: the seal, values and closings.
--   psql -v entity=main -v period=2026-10 -v number=1 -f sql/seal/values.sql
select v.rows as values_rows, v.sha256 as values_sha256, c.rows as closings_rows, c.sha256 as closings_sha256
from (
  select count(*) as rows, encode(sha256(coalesce(string_agg(
    sha256(convert_to(subject, 'UTF8')) || leaf, ''::bytea order by subject collate "C"), '')), 'hex') as sha256
  from decide.seal_values
  where entity_id = :'entity' and period = :'period' and seal_number = :'number'::int
) as v, (
  select count(*) as rows, encode(sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(subject, currency,
    trim_scale(units), trim_scale(exact), trim_scale(value))::text, 'UTF8')), ''::bytea
    order by subject collate "C", currency collate "C"), '')), 'hex') as sha256
  from decide.seal_closings
  where entity_id = :'entity' and period = :'period' and seal_number = :'number'::int
) as c;
