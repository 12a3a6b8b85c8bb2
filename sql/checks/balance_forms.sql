-- Balance forms: a trading balance whose number differs from its text by more than the precision of a double. The books tie
-- to the text.
-- For: whoever uses both forms elsewhere. Severity: note, a break when it stays.
-- What to do: send both answers to the platform (books_internal.answers and books.readings have the requests); trust neither
-- until it confirms one.
--   psql -v run=<run_id> -f sql/checks/balance_forms.sql
with number as (
  select last.entity_id, last.run_id, j ->> 'currency' as currency, books_internal.amount_of(j ->> 'balance') as balance,
    books_internal.amount_of(j ->> 'blockedBalance') as blocked
  from books.entities e
  cross join lateral (
    select * from books_internal.answers a
    where a.entity_id = e.entity_id and a.operation = 'balance-numbers'
    order by a.request_id desc limit 1
  ) as last
  cross join lateral jsonb_array_elements(last.payload::jsonb) as j
  where exists (select from books.runs where run_id = :'run'::uuid)
), text as (
  select r.entity_id, r.run_id, r.currency, r.balance, r.blocked
  from books.readings r
  where (r.product, r.phase) = ('trading', 'after') and (r.entity_id, r.run_id) in (select entity_id, run_id from number) and not exists (
    select from books.readings later
    where (later.entity_id, later.run_id, later.product, later.phase) = (r.entity_id, r.run_id, r.product, r.phase)
      and later.request_id > r.request_id
  )
), form as ( -- several wallets of one currency are compared together, as they are booked
  select n.entity_id, n.run_id, n.currency, n.is_text, form.what, form.amount
  from (select *, false as is_text from number union all select *, true from text) as n
  cross join lateral (values ('balance', n.balance), ('blocked balance', n.blocked)) as form (what, amount)
), compared as (
  select entity_id, currency, what, sum(amount) filter (where not is_text) as number, sum(amount) filter (where is_text) as text,
    sum(abs(amount)) filter (where is_text) * 1e-15 as precision
  from form
  group by entity_id, run_id, currency, what
  having count(amount) = count(*)
)
select entity_id, format('%s %s in two forms', currency, what) as subject, null as account, currency, text as reported,
  number as booked, trim_scale(text - number) as difference,
  format('the %s of %s as text is %s more than as a number', what, currency, trim_scale(text - number)) as reason,
  jsonb_build_object('kind', case what when 'balance' then 'balance_forms.balance' else 'balance_forms.blocked' end,
    'amount', trim_scale(text - number)::text, 'currency', currency) as reason_parts
from compared
where abs(text - number) > precision
order by entity_id, subject
