-- Value reasons: why entries have no value, by the finding of the valuation: number of entries, and their currencies.
-- For: whoever exports a batch with such entries. Ties to: books.value_findings; an entry with two kinds counts in
-- both, and an entry without a finding has no kind.
--   psql -v entity=main -v entries='{019a0000-0000-8000-8000-000000000001}' -f sql/export/value_reasons.sql
with requested as (
  select unnest(:'entries'::uuid[]) as entry_id
)
select f.kind, count(distinct a.entry_id) as entries,
  string_agg(distinct f.currency collate "C", ', ' order by f.currency collate "C") as currencies
from requested a
left join books.value_findings f
  on f.entry_id = a.entry_id and f.entity_id = :'entity' and f.severity = 'finding' and f.kind <> 'rounding'
group by f.kind
order by f.kind collate "C" nulls last;
