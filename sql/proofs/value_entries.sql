-- Proof of values: every valued entry sums to zero to the cent, and so does its conversion; every unvalued line has a finding;
-- and no entry in force that was there when values were derived last is without lines.
-- For: verify ledger. Ties to: books.value_postings, which money reports sum; books.value_findings.
--   psql -f sql/proofs/value_entries.sql
with entry as (
  select entity_id, entry_id, sum(value) as rest, bool_or(value is null) as is_open, count(*) as lines,
    sum(value) filter (where account = 'equity:conversion') as conversion,
    coalesce(abs(sum(value) filter (where account = 'expenses:rounding')), 0) as rounding
  from books.value_postings
  group by entity_id, entry_id
), judged as (
  select e.entity_id, e.entry_id,
    case
      when e.is_open and not exists (
        select from books.value_findings f where (f.entity_id, f.entry_id) = (e.entity_id, e.entry_id) and f.severity = 'finding'
      ) then 'has no value and no finding'
      when e.is_open then null
      when e.rest <> 0 then 'leaves ' || e.rest
      when e.conversion <> 0 then 'leaves ' || e.conversion || ' in conversion'
      when e.rounding > e.lines * 0.01 then 'rounds ' || e.rounding || ' over ' || e.lines || ' lines'
    end as fault
  from entry e
  union all
  select e.entity_id, e.entry_id, 'has no line of value'
  from ledger.entries e
  join value.sources s using (entity_id)
  where e.entry_number <= s.entry_number and e.reverses is null
    and not exists (select from ledger.entries r where (r.entity_id, r.reverses) = (e.entity_id, e.entry_id))
    and exists (select from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id))
    and not exists (select from value.postings v where (v.entity_id, v.entry_id) = (e.entity_id, e.entry_id))
)
select count(*) as checked, count(fault) as faults,
  min(format('entry %s of %s %s', entry_id, entity_id, fault) collate "C") filter (where fault is not null) as first
from judged;
