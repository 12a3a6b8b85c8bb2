-- States: what a month shows of rows that change in place or that belong to a month, one line each, with the interval in which the
-- line concerns a month that ends at an instant: since null, every month; month null, no month of its own. A break began after since,
-- and until is when it was resolved.
-- For: the nightly, which writes a month again only if something that it shows changed. Ties to: value.months, books.seals,
-- books.breaks, the last comparison of each entity, books.coverage.
--   psql -f sql/export/states.sql
select 'values' as kind, m.period as month, null::timestamptz as since, null::timestamptz as until,
  concat_ws(' ', m.entity_id, m.taxpayer, m.entries, m.fingerprint) as mark, null as result
from value.months m
union all
select 'seals', s.period, null, null, concat_ws(' ', s.entity_id, s.seal_number, a.approved_at, o.at), null
from decide.seals s
left join decide.seal_approvals a using (entity_id, period, seal_number)
left join decide.reopenings o using (entity_id, period, seal_number)
union all
select 'breaks', null, case when b.account is not null then b.diverged_after end, b.resolved_at, md5((to_jsonb(b) - 'run_id' - 'position')::text), null
from reconcile.breaks b
union all
select 'results', null, t.as_of, null,
  concat_ws(' ', t.entity_id, t.account, t.currency, t.status, t.difference, case when t.status <> 'tied' then concat_ws(' ', t.reported, t.booked) end),
  concat_ws(' ', t.reported, t.booked, t.reason)
from books_internal.last_compared c
join books.tie_outs t using (entity_id, run_id)
union all
select 'read', null, t.as_of, null, concat_ws(' ', t.entity_id, t.account, t.currency), null
from books_internal.last_compared c
join books.tie_outs t using (entity_id, run_id)
union all
select 'compared', null, max(c.compared_at), null, '', null from books_internal.last_compared c
union all
select 'coverage', null, c.covered_from, c.covered_to, concat_ws(' ', c.entity_id, c.stream, c.scope), null
from books.coverage c
order by 1, 2, 5, 3;
