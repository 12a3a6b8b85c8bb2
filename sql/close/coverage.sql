-- Coverage: every stream that an account depends on must be proved complete from the beginning to the period's end; and there
-- must be one, because an entity without any reading is only a name.
-- For: close. Ties to: coverage.csv.
--   psql -v entity=main -v to=2026-11-01T00:00:00Z -f sql/close/coverage.sql
with needed as (
  select distinct s.stream, '' as scope
  from land.snapshots n
  join books_internal.streams s using (product)
  where n.entity_id = :'entity' and not s.is_per_item
  union
  select stream, scope from books_internal.lists where entity_id = :'entity'
)
select n.stream || case n.scope when '' then '' else ' of ' || n.scope end as subject,
  case when c.covered is null or isempty(c.covered) then 'nothing of it is proved complete: run npx tieout nightly'
    else format('is not proved complete from the beginning to %s, only from %s: run npx tieout nightly',
      to_char(:'to'::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), (
        select string_agg(concat(
          coalesce(to_char(nullif(lower(i), '-infinity') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'the beginning'), ' to ',
          to_char(upper(i) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), ', and from ' order by i)
        from unnest(c.covered) i))
  end as detail
from needed n
left join land.coverage c on (c.entity_id, c.stream, c.scope) = (:'entity', n.stream, n.scope)
where not coalesce(c.covered @> tstzrange('-infinity', :'to'::timestamptz), false)
union all
select 'every list', 'nothing was ever read of this entity: look at GATEWAY_ENTITIES and TIEOUT_ENTITY, or close the others with --entity'
where not exists (select from needed) and not exists (select from ledger.entries where entity_id = :'entity')
order by 1;
