-- Waived: the breaks that a close accepts, each with its difference at the period's end and its value in the reporting
-- currency, at the newest price before then, if there is one. A break that a person resolved is included until it ties.
-- For: close, which compares them with a budget. Ties to: breaks.csv.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -v currency=EUR -f sql/seal/waived.sql
with waived as (
  select distinct on (b.break_id) b.break_id, b.account, b.currency, a.difference, w.prepared_by, w.reason, w.approved_at
  from books_internal.breaks_at(:'to'::timestamptz, :'entity') a
  join books.breaks b using (entity_id, break_id)
  join books.waivers w using (entity_id, break_id)
  where b.entity_id = :'entity' and w.period = :'period' and w.difference is not distinct from a.difference
  order by b.break_id, w.approved_at desc
), newest as materialized (
  select currency, books_internal.price_of(:'entity', currency, :'currency', :'to'::timestamptz) as price from waived group by currency
)
select break_id, account, currency, trim_scale(difference)::text as difference, trim_scale(round(abs(difference) * price, 18))::text as value,
  prepared_by as by_name, reason, approved_at as "at"
from waived
left join newest using (currency)
order by break_id;
