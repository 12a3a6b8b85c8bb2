-- Personal fields: every landed version, delivery and bank line with commitments that no erasure took, the values that are stored, by
-- path, and the key of their commitments. What has a commitment and no value was deleted without an erasure; what has another value
-- was altered.
-- For: verify ledger. Ties to: land.people, land.people_keys, land.erased_records.
--   psql -f sql/proofs/personal_fields.sql
select l.entity_id, l.stream, l.record_id, l.version, l.payload, (
    select coalesce(json_agg(array[p.path, p.value]), '[]') from land.people p
    where (p.entity_id, p.stream, p.record_id, p.version) = (l.entity_id, l.stream, l.record_id, l.version)
  ) as fields, (select encode(k.key, 'hex') from land.people_keys k where k.entity_id = l.entity_id) as key
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
