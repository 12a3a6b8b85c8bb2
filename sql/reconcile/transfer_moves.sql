-- Transfer moves: the standing legs to and from people on some days that are in no valid pair.
-- For: reconcile, which pairs those between our own entities. Ties to: books_internal.lone_person_moves.
--   psql -v entities='{main}' -v currencies='{EUR}' -v days='{2026-10-01}' -f sql/reconcile/transfer_moves.sql
with requested as materialized (
  select * from unnest(:'entities'::text[], :'currencies'::text[], :'days'::date[]) as r (entity_id, currency, day)
)
select m.entity_id, m.entry_id, m.currency, d.day::text, m.stream, m.record_id, m.amount::text, m.pocketed::text,
  m.effective_at, m.names_entity, m.names_by, m.elsewhere
from (select distinct entity_id, day from requested) as d
cross join lateral books_internal.lone_person_moves(d.entity_id, d.day::timestamp at time zone 'UTC', (d.day + 1)::timestamp at time zone 'UTC') m
join requested a on (a.entity_id, a.currency, a.day) = (m.entity_id, m.currency, d.day);
