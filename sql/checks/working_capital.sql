-- Working capital: what the platform reports as advanced in a rolling day, beside the drawdowns of the same day that it listed.
-- It does not report the total owed: the books' own figure is printed with it, uncovered.
-- For: whoever repays it. Severity: note.
-- What to do: look for a drawdown that was never listed, or listed twice; ask the platform for a statement of the total owed.
--   psql -v run=<run_id> -f sql/checks/working_capital.sql
with usage as (
  select a.entity_id, a.taken_at, j ->> 'currency' as currency, books_internal.amount_of(j ->> 'used') as used
  from books_internal.answers a
  cross join lateral jsonb_array_elements(a.payload::jsonb) as j
  where a.run_id = :'run'::uuid and a.operation = 'working-capital' and j ->> 'type' = 'deposit' and not exists (
    select from books_internal.answers later
    where (later.entity_id, later.run_id, later.operation) = (a.entity_id, a.run_id, a.operation) and later.request_id > a.request_id
  )
), beside as (
  select t.*, coalesce((
    select sum(-p.amount) from books.postings p
    where (p.entity_id, p.account, p.currency) = (t.entity_id, 'liabilities:working-capital', t.currency) and p.amount < 0
      and p.entry_id >= books_internal.first_entry_id(t.taken_at - interval '24:00:00') and p.effective_at > t.taken_at - interval '24:00:00'
      and p.effective_at <= t.taken_at
  ), 0) as refilled, coalesce((
    select -sum(b.balance) from books.balances b
    where (b.entity_id, b.account, b.currency) = (t.entity_id, 'liabilities:working-capital', t.currency)
  ), 0) as owed
  from usage t
)
select entity_id, 'working capital ' || currency as subject, 'liabilities:working-capital' as account, currency, used as reported,
  refilled as booked, trim_scale(used - refilled) as difference,
  format('%s %s used of the day''s limit, refills of that day are %s; owed by the books: %s, which the gateway does not show: uncovered',
    trim_scale(used), currency, trim_scale(refilled), trim_scale(owed)) as reason
from beside
where used <> refilled
order by entity_id, currency
