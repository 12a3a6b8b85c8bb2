-- The first listed entity that shares a taxpayer or a transfer with one that is not listed, although it has books here and the
-- gateway still lists it.
-- For: tieout nightly, which refuses such a list. Ties to: books.profiles and books.own_transfers.
--   psql -v entities='{main}' -v main=main -f sql/status/split_entities.sql
with present as (
  select p.entity_id, p.taxpayer, p.entity_id = any(:'entities'::text[]) as is_listed
  from books.profiles p
  where p.entity_id = any(:'entities'::text[]) or p.entity_id = :'main'
    or exists (select from books_internal.subaccounts s where (s.main_entity_id, s.entity_id) = (:'main', p.entity_id))
), split as (
  select a.entity_id, b.entity_id as other_entity, a.taxpayer, null as record_id
  from present a
  join present b using (taxpayer)
  where a.is_listed and not b.is_listed
  union all
  select a.entity_id, b.entity_id, null, case a.entity_id when o.from_entity then o.from_record_id else o.to_record_id end
  from books.own_transfers o
  join present a on a.entity_id in (o.from_entity, o.to_entity)
  join present b on b.entity_id in (o.from_entity, o.to_entity)
  where o.stands and a.is_listed and not b.is_listed
)
select entity_id, other_entity, taxpayer, record_id
from split
order by taxpayer collate "C" nulls last, entity_id collate "C", other_entity collate "C", record_id collate "C"
limit 1;
