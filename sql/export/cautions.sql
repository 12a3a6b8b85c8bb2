-- Cautions: what every cover must state about a period: that one person prepared and approved, and which items have no value.
-- For: the manifest and the report page. Ties to: books_internal.duties, books.value_findings.
--   psql -v first=2026-10 -v last=2026-10 -v to=2026-11-01T00:00:00Z -v entity= -f sql/export/cautions.sql
select caution from (
  select format('one person prepares and approves, as %s allowed at %s: %s', set_by,
    to_char(set_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), reason) as caution
  from books_internal.duties d
  where is_one_person and version = (select max(version) from books_internal.duties)
  union all
  select format('%s of %s: %s without a value (%s), %s', period, entity_id, case findings when 1 then '1 item is' else findings || ' items are' end,
    kinds, case when accepted >= findings then 'accepted by ' || accepted_by else 'not accepted' end)
  from books_internal.unvalued_months(:'to'::timestamptz)
  where period >= :'first' and period <= :'last' and books_internal.is_chosen(entity_id, :'entity')
) as caution_text
order by caution collate "C";
