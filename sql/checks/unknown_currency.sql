-- Unknown currency: a currency of the books that neither the gateway's catalogue nor its list of assets has: a new code or a
-- misspelled one. Without a catalogue, nothing is checked.
-- For: reconcile, which reports it in every run. Severity: finding.
-- What to do: ask the platform what it is; if one record misspells a code, it belongs to a reject or an adjustment.
--   psql -v run=<run_id> -f sql/checks/unknown_currency.sql
select b.entity_id, b.currency as subject, null as account, b.currency, null::numeric as reported, sum(b.balance) filter (where
    b.account like 'assets:%') as booked, null::numeric as difference,
  format('%s is booked on %s, and the catalogue of currencies does not name it', b.currency,
    string_agg(b.account, ', ' order by b.account collate "C")) as reason
from books.balances b
where exists (select from books.currencies) and not exists (select from books.currencies c where c.currency = b.currency)
  and not exists (select from books.assets a where a.symbol = b.currency)
  and exists (select from books.runs where run_id = :'run'::uuid)
group by b.entity_id, b.currency
order by b.entity_id, b.currency
