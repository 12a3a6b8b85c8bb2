-- Proof of sealed values: the values of the entries of every closed month are those that were sealed, to the last digit.
-- For: verify ledger, verify report. Ties to: decide.seal_values, which the seal names by their SHA-256.
--   psql -f sql/seal/proof_values.sql
with closed as (
  select s.entity_id, s.period, s.seal_number from books.seals s where s.status = 'closed' and s.seal like '%"values":{%'
), sealed as (
  select c.entity_id, c.period, v.subject, v.leaf
  from closed c
  join decide.seal_values v using (entity_id, period, seal_number)
), standing as (
  select v.entity_id, v.period, v.subject, v.leaf
  from closed c
  join books_internal.value_leaves v using (entity_id, period)
), compared as (
  select entity_id, period, subject,
    case
      when n.leaf is null then 'were removed from'
      when s.leaf is null then 'were put into'
      when n.leaf <> s.leaf then 'were altered in'
    end as fault
  from sealed s
  full join standing n using (entity_id, period, subject)
)
select count(*) as checked, count(fault) as faults,
  min(format('the values of %s of %s %s the closed month %s', subject, entity_id, fault, period) collate "C")
    filter (where fault is not null) as first
from compared;
