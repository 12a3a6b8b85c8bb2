-- Entities to pair: those of some whose clearing accounts have changed since they were last paired (is_changed), or that have statements of
-- accounts elsewhere (has_statements).
-- For: whatever books entries without comparing them. Ties to: clearing_days.sql, whose days are those of these entities.
--   psql -v entities='{main}' -f sql/reconcile/entities_to_pair.sql
select own.entity_id, due.is_changed, due.has_statements
from unnest(:'entities'::text[]) as own (entity_id)
cross join lateral (
  select exists (select from books_internal.unpaired_clearing u where u.entity_id = own.entity_id) as is_changed,
    exists (select from land.external_accounts a where a.entity_id = own.entity_id) as has_statements
) as due
where due.is_changed or due.has_statements
order by own.entity_id collate "C";
