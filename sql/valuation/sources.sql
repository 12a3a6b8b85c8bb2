-- Sources: by entity, what decides the values of its months besides entries, pairs and rates: a digest of what counterparty types rest
-- on beside its address book, the externally held lots, how many of them are stored and the months in which they count, the last lot
-- that a person named for a disposal, and the last day whose rates the cost of an opening or external lot needs; and the last entry and
-- transfer between entities up to which all are written, and the last request that brought its address book something new.
-- For: valuation, which compares them with those of the last time. Ties to: value.sources.
--   psql -v entry=120 -v transfer=3 -f sql/valuation/sources.sql
with profile as (
  select md5(string_agg(concat_ws(' ', entity_id, owner, legal_name), ',' order by entity_id)) as digest from books.profiles
), rule as (
  select coalesce(max(version), 0) as version from decide.counterparty_files
), lots as (
  select entity_id, count(*) filter (where is_external)::int as external_lots, max(acquired_on)::text as last_on
  from books_internal.stated_lots group by entity_id
), placed as (
  select o.entity_id, array_agg(distinct l.period) as external_lot_periods, count(*)::int as external_lots_placed
  from decide.external_lots o
  join value.lots l on (l.entity_id, l.lot_id) = (o.entity_id, 'external/' || o.lot_number)
  group by 1
)
select n.entity_id, md5(concat_ws(' ', r.version, p.digest,
    (select count(*) from decide.counterparty_accounts a where a.entity_id = n.entity_id))) as counterparties,
  coalesce(l.external_lots, 0) as external_lots, coalesce(placed.external_lots_placed, 0) as external_lots_placed,
  coalesce(placed.external_lot_periods, '{}') as external_lot_periods, coalesce((
    select max(c.choice_number) from decide.lot_choices c where c.entity_id = n.entity_id
  ), 0)::text as last_choice, coalesce((
    select max(a.request_id) from books_internal.address_versions a where a.entity_id = n.entity_id
  ), 0) as book_request, l.last_on, :'entry'::bigint as entry_number, :'transfer'::bigint as pair_position
from run.entities n
cross join profile p
cross join rule r
left join lots l using (entity_id)
left join placed using (entity_id);
