-- Trades total: the number of distinct trades landed against the gateway's count; the same for the movements of each Earn wallet.
-- For: whoever checks that a list is complete. Severity: counted. (The walk that finds it reports a finding of its run.)
-- What to do: run extract --full. More landed than counted: the gateway no longer lists some; ask it why; they stay landed.
--   psql -v run=<run_id> -f sql/checks/trades_total.sql
select entity_id, concat_ws(' ', stream, nullif(scope, '')) as subject, null as account, null as currency,
  total::numeric as reported, landed::numeric as booked, (total - landed)::numeric as difference,
  format('the gateway counts %s %s, %s distinct ones are landed', total, stream, landed) as reason
from books_internal.list_totals
where total <> landed and exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, subject
