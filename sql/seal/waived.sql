-- Waived: the breaks that a close accepts, each with its difference at the period's end and its value in the reporting
-- currency, at the newest price before then, if there is one. A break that a person resolved is included until it ties.
-- For: close, which compares them with a budget. Ties to: breaks.csv.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -v currency=EUR -f sql/seal/waived.sql
select distinct on (b.break_id) b.break_id, b.account, b.currency, trim_scale(a.difference)::text as difference,
  books_internal.value_of(b.entity_id, b.currency, a.difference, :'currency', :'to'::timestamptz)::text as value, w.prepared_by as by_name,
  w.reason, w.approved_at as "at"
from books_internal.breaks_at(:'to'::timestamptz) a
join books.breaks b using (entity_id, break_id)
join books.waivers w using (entity_id, break_id)
where b.entity_id = :'entity' and w.period = :'period' and w.difference is not distinct from a.difference
order by b.break_id, w.approved_at desc;
