-- Earn amounts: an Earn movement landed by a run whose net amount and withheld tax do not sum to its gross amount. Both are booked as
-- reported: the balance of Earn proves the net amount, and nothing else would show that the tax is wrong.
-- For: whoever claims the tax withheld. Of what the run landed. Severity: finding.
-- What to do: ask the platform for the certificate of the tax withheld; if the record is wrong, enter the difference with tieout adjust.
--   psql -v run=<run_id> -f sql/checks/earn_amounts.sql
select r.entity_id, 'earn-movements ' || r.record_id as subject, 'assets:tax-withheld' as account, j #>> '{amount,currency}' as currency,
  trim_scale(gross) as reported, trim_scale(net + withheld) as booked, trim_scale(gross - net - withheld) as difference,
  format('net %s and tax withheld %s are %s, but the gross amount is %s', trim_scale(net), trim_scale(withheld), trim_scale(net + withheld),
    trim_scale(gross)) as reason
from books.records r
cross join lateral (select r.payload::jsonb as j offset 0) as parsed
cross join lateral books_internal.earn_amounts_of(j)
where r.stream = 'earn-movements' and r.outcome = 'booked' and r.request_id > (select requests_before from books_internal.unchecked_since(:'run'::uuid))
  and r.request_id > ((select by_entity from books_internal.unchecked_since(:'run'::uuid)) ->> r.entity_id)::bigint
  and r.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid)
  and net + withheld <> gross
order by r.entity_id, r.record_id
