-- Proof of sealed entries: the entries of every closed month are those that were sealed, to the last character; a month
-- before the last closed one is closed too.
-- For: verify ledger, which names the entry that was altered, added or removed. Ties to: the root of the seal.
--   psql -f sql/seal/proof_entries.sql
with closed as (
  select s.entity_id, s.period, s.seal_number from books.seals s where s.status = 'closed'
), sealed as (
  select c.entity_id, c.period, l.entry_id, l.leaf
  from closed c
  join decide.seal_leaves l using (entity_id, period, seal_number)
), standing as (
  select e.entity_id, e.period, e.entry_id, e.leaf,
    exists (select from closed c where (c.entity_id, c.period) = (e.entity_id, e.period)) as has_seal
  from books_internal.closed_through c
  join books_internal.entry_leaves e on e.entity_id = c.entity_id and e.period <= c.through
), compared as (
  select entity_id, period, entry_id,
    case
      when n.leaf is null then 'was removed from'
      when not n.has_seal then 'is without a seal in'
      when s.leaf is null then 'was put into'
      when n.leaf <> s.leaf then 'was altered in'
    end as fault
  from sealed s
  full join standing n using (entity_id, period, entry_id)
)
select count(*) as checked, count(fault) as faults,
  min(format('entry %s of %s %s the closed month %s', entry_id, entity_id, fault, period) collate "C")
    filter (where fault is not null) as first
from compared;
