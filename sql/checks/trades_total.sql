-- Trades total: as many distinct trades are landed as the gateway counts; the same for each Earn wallet's movements.
-- For: whoever asks whether a list is whole. Severity: counted. (The walk that ends so says it as a finding of its run.)
-- What to do: run extract --full. More landed than counted: the gateway lists some no longer; ask it why, they are kept.
--   psql -v run=<run_id> -f sql/checks/trades_total.sql
select entity_id, concat_ws(' ', stream, nullif(scope, '')) as subject, null as account, null as currency,
  total::numeric as reported, landed::numeric as booked, (total - landed)::numeric as difference,
  format('the gateway counts %s %s, %s distinct ones are landed', total, stream, landed) as reason
from books_internal.list_totals
where total <> landed and exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, subject
