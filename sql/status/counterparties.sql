-- Counterparties: who is on the other side, of one entity or all (entity ''), with what came in and went out; unknown ones
-- first, each with the details that identify it.
-- For: tieout counterparties. Ties to: books.outside, without reversed entries.
--   psql -v entity= -v currency=EUR -f sql/status/counterparties.sql
with summed as (
  select entity_id, counterparty_type, counterparty, account, currency, case when counterparty_type = 'unknown' then operation end as operation,
    case when counterparty_type = 'unknown' then address end as address, coalesce(-sum(amount) filter (where amount < 0), 0) as received,
    coalesce(sum(amount) filter (where amount > 0), 0) as sent, count(distinct (stream, record_id)) as records
  from (
    select o.*, sum(o.amount) over (partition by o.entity_id, o.stream, o.record_id, o.account, o.currency) as rest
    from books.outside o
    where :'entity' = '' or o.entity_id = :'entity'
  ) as standing
  where rest <> 0 and kind <> 'reversal' and not books_internal.is_reversed(entity_id, entry_id)
  group by 1, 2, 3, 4, 5, 6, 7
), newest as materialized (
  select entity_id, currency, books_internal.price_of(entity_id, currency, :'currency', 'infinity') as price from summed group by 1, 2
), valued as (
  select *, trim_scale(round((received + sent) * price, 18)) as value from summed join newest using (entity_id, currency)
)
select counterparty_type, counterparty, account, currency, operation, address, trim_scale(sum(received))::text as "in",
  trim_scale(sum(sent))::text as "out", sum(records)::int as records,
  case when count(value) = count(*) then round(sum(value), 2)::text end as value
from valued
group by 1, 2, 3, 4, 5, 6
order by counterparty_type <> 'unknown', case when count(value) = count(*) then sum(value) end desc nulls first, counterparty_type, counterparty,
  account, currency, operation, address;
