-- Month notes: the months that are still reopened, and the entries of a run that came after their month was closed, without those that went back
-- into it since.
-- For: nightly, which reports them. Ties to: books.seals, and original_period in books.entries.
--   psql -v run=<run_id> -f sql/status/month_notes.sql
select entity_id as entity, 'reopened' as subject,
  format('%s was reopened by %s (%s) and is not closed again', s.period, s.reopened_by, s.reopen_reason) as detail
from books.seals s
left join books_internal.closed_through c using (entity_id)
where s.status = 'reopened' and s.period > coalesce(c.through, '')
union all
select entity_id, 'late for ' || original_period, case count(*)
  when 1 then format('1 entry came too late for %1$s and counts in %2$s: npx tieout restate %1$s shows it', original_period, period)
  else format('%1$s entries came too late for %2$s and count in %3$s: npx tieout restate %2$s shows them', count(*), original_period, period) end
from books.entries
where original_period is not null and entry_number > (select entries_before from books_internal.unseen_since(:'run'::uuid, '{nightly}'))
group by entity_id, original_period, period;
