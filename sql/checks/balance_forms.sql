-- Balance forms: a trading balance told as a number that is not the one told as text, beyond what a double can hold. The text
-- is what the books are tied to.
-- For: whoever uses both forms elsewhere. Severity: note, a break when it stays.
-- What to do: send both answers to the platform (books.answers and books.readings name the requests); trust neither until it says which.
--   psql -v run=<run_id> -f sql/checks/balance_forms.sql
with number as (
  select a.entity_id, a.request_id, j ->> 'currency' as currency, books.amount_of(j ->> 'balance') as balance,
    books.amount_of(j ->> 'blockedBalance') as blocked
  from books.answers a
  cross join lateral jsonb_array_elements(a.payload::jsonb) as j
  where a.run_id = :'run'::uuid and a.operation = 'balance-numbers' and not exists (
    select from books.answers later
    where (later.entity_id, later.run_id, later.operation) = (a.entity_id, a.run_id, a.operation) and later.request_id > a.request_id
  )
), told as (
  select n.entity_id, n.currency, form.what, form.number, form.text
  from number n
  join books.readings r on (r.entity_id, r.run_id, r.product, r.phase, r.currency) = (n.entity_id, :'run'::uuid, 'trading', 'after', n.currency)
  cross join lateral (values ('balance', n.balance, r.balance), ('blocked balance', n.blocked, r.blocked)) as form (what, number, text)
  where not exists (
    select from books.readings later
    where (later.entity_id, later.run_id, later.product, later.phase) = (r.entity_id, r.run_id, r.product, r.phase)
      and later.request_id > r.request_id
  )
)
select entity_id, format('%s %s in two forms', currency, what) as subject, 'assets:trading' as account, currency, text as reported,
  number as booked, trim_scale(text - number) as difference,
  format('the %s of %s as text is %s more than as a number', what, currency, trim_scale(text - number)) as reason
from told
where abs(text - number) > abs(text) * 1e-15
order by entity_id, subject
