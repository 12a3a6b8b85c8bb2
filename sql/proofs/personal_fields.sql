-- Personal fields: every landed version, delivery and bank line with commitments that no erasure took, and the paths at which
-- their values are stored. What has a commitment and no value was deleted without an erasure.
-- For: verify ledger. Ties to: land.people, land.erased_records.
--   psql -f sql/proofs/personal_fields.sql
select l.entity_id, l.stream, l.record_id, l.version, l.payload, (
    select coalesce(json_agg(p.path), '[]') from land.people p
    where (p.entity_id, p.stream, p.record_id, p.version) = (l.entity_id, l.stream, l.record_id, l.version)
  ) as paths
from (
  select entity_id, stream, record_id, version, payload from land.records
  union all
  select entity_id, 'authorizations', coalesce(transaction_id, 'delivery ' || delivery_number), delivery_number, body from land.authorizations
  union all
  select entity_id, 'bank-lines', account_name || ' ' || line_number, 1, payload from land.external_lines
) as l
where l.payload like '%"personal:%' and not exists (
  select from land.erased_records e where (e.entity_id, e.stream, e.record_id) = (l.entity_id, l.stream, l.record_id)
);
