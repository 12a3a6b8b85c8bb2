-- Cautions: what every cover must state about a period: that one person prepared and approved, and which value findings there are.
-- For: the report page and the manifest, which write them in words. Ties to: books_internal.duties, books.value_findings.
--   psql -v first=2026-10 -v last=2026-10 -v to=2026-11-01T00:00:00Z -v entity= -f sql/page/cautions.sql
select * from (
  select 'one-person' as caution, null as period, null as entity_id, null::bigint as findings, null as kinds, null as accepted_by, set_by,
    to_char(set_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as set_at, reason
  from books_internal.duties d
  where is_one_person and version = (select max(version) from books_internal.duties)
  union all
  select 'unvalued', period, entity_id, findings, kinds, case when accepted >= findings then accepted_by end, null, null, null
  from books_internal.unvalued_months(:'to'::timestamptz)
  where period >= :'first' and period <= :'last' and books_internal.is_chosen(entity_id, :'entity')
) as cautions
order by period collate "C" nulls last, entity_id collate "C";
