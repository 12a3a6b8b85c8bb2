-- Breaks: no break that began by the cut-off may be open, unless a person waived it for this period, at the difference
-- that it had then. A break that a person resolved is open here until a comparison ties.
-- For: close. Ties to: breaks.csv.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -f sql/close/breaks.sql
select 'break ' || b.break_id as subject,
  case b.status
    when 'resolved' then format('%s resolved it, but no comparison has tied since: run npx tieout reconcile',
      b.resolved_by)
    else format('%s on %s is %s, and not waived for %s%s%s; npx tieout breaks show %s explains it, npx tieout breaks waive %s --period %s --by NAME '
        '--reason TEXT accepts it',
      coalesce(trim_scale(a.difference) || ' ' || b.currency, b.check_name), coalesce(b.account, b.subject), b.status,
      :'period'::text, (
        select format(': the waiver of %s covers a difference of %s', w.prepared_by, trim_scale(w.difference))
        from books.waivers w
        where (w.entity_id, w.break_id, w.period) = (b.entity_id, b.break_id, :'period')
        order by w.approved_at desc
        limit 1
      ), case when b.account is not null and b.diverged_after is null then format('; it may have arisen by the end of %s, since no earlier '
        'balance of the account ties and no record explains the difference', :'period'::text) end, b.break_id, b.break_id, :'period'::text)
  end as detail
from books_internal.breaks_at(:'to'::timestamptz, :'entity') a
join books.breaks b using (entity_id, break_id)
where b.entity_id = :'entity' and not exists (
  select from books.waivers w
  where (w.entity_id, w.break_id, w.period) = (b.entity_id, b.break_id, :'period')
    and w.difference is not distinct from a.difference
)
order by b.break_id;
