-- Counterparties: with a limit (TIEOUT_UNKNOWN_LIMIT), the value of everything from and to unknown counterparties must not exceed
-- it, gross, at the newest price before the period's end; an amount without a price exceeds any limit.
-- For: close. Ties to: counterparties.csv, counterparty_type unknown.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -v currency=EUR -v unknown_limit=1000 -f sql/close/counterparties.sql
with moved as ( -- a corrected record counts with its net amount
  select stream, record_id, account, currency, sum(amount) as amount
  from books.outside
  where :'unknown_limit'::text <> '' and entity_id = :'entity' and period = :'period' and counterparty_type = 'unknown'
  group by 1, 2, 3, 4
), unknown as (
  select currency, sum(abs(amount)) as amount from moved group by currency having sum(abs(amount)) <> 0
), valued as (
  select currency, amount, books_internal.value_of(:'entity', currency, amount, :'currency', :'to'::timestamptz) as value from unknown
)
select 'unknown ' || currency as subject,
  format('%s %s with unknown counterparties has no price in %s, so no limit covers it: name them (counterparties import)',
    trim_scale(amount), currency, :'currency'::text) as detail
from valued
where value is null
union all
select 'unknown counterparties',
  format('their gross value is %s %s, the limit is %s: name them (counterparties list, counterparties import), or state a higher one',
    round(ceil(sum(value) * 100) / 100, 2), :'currency'::text, :'unknown_limit'::text)
from valued
having sum(value) > nullif(:'unknown_limit'::text, '')::numeric
order by subject;
