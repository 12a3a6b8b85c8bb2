-- Waived: the breaks that a close accepts, each with what it is worth in the reporting currency: at the newest
-- price before the period's end, where there is one. What somebody says is settled is among them until it has tied.
-- For: close, which holds them against a budget. Ties to: breaks.csv.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -v currency=EUR -f sql/seal/waived.sql
select distinct on (b.break_id) b.break_id, b.account, b.currency, trim_scale(b.difference)::text as difference,
  books.value_of(b.entity_id, b.currency, b.difference, :'currency', :'to'::timestamptz)::text as value, w.by_name, w.reason, w.at
from books.breaks b
join books.waivers w using (entity_id, break_id)
where b.entity_id = :'entity' and (b.status <> 'resolved' or b.tied_run_id is null) and w.period = :'period'
  and w.difference is not distinct from b.difference
order by b.break_id, w.at desc;
