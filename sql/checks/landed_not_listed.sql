-- Landed, not listed: trades, or movements of an Earn wallet, that are landed and that the gateway no longer lists, by the last
-- reading that proved their list. They stay in the books.
-- For: reconcile, and whoever checks that a list is complete. Severity: break.
-- What to do: ask the platform which of them it withdrew, and why; a balance that breaks too shows what they were worth. If it lists them
-- again, the break is resolved.
--   psql -v run=<run_id> -f sql/checks/landed_not_listed.sql
select entity_id, concat_ws(' ', stream, nullif(scope, '')) as subject, null as account, null as currency,
  total::numeric as reported, landed::numeric as booked, (total - landed)::numeric as difference,
  format('%s of %s landed records of %s are no longer listed', landed - total, landed, concat_ws(' ', stream, nullif(scope, ''))) as reason,
  jsonb_build_object('kind', 'landed_not_listed.records', 'stream', stream, 'amount', (landed - total)::text, 'other_amount', landed::text)
    as reason_parts
from books_internal.proved_totals
where landed > total and exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, subject
