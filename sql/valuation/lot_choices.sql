-- Lot choices: for each line of a file that names lots for disposals, what is known of its disposal and its lot. An entry is the
-- newest of its record that no other reverses. used: the units that earlier entries took from the lot, without those of
-- entries that the file names, since it replaces their choice; closed: the last closed month of the taxpayer, by
-- the entity closed_by; closed_here: that of this entity; later: when the lot was brought, if that counts after the disposal, because
-- what was moved or returned keeps the time at which it was acquired.
-- For: lots choose, which refuses what cannot be used. Ties to: books.lots.
--   psql -v entity=main -v streams='{trades}' -v records='{t1}' -v currencies='{BTC}' -v lots='{a/1}' -f sql/valuation/lot_choices.sql
with line as (
  select * from unnest(:'streams'::text[], :'records'::text[], :'currencies'::text[], :'lots'::text[])
    with ordinality as w (stream, record_id, currency, lot_id, nth)
), disposal as materialized (
  select w.nth, e.entry_id, e.effective_at, e.posted_at, w.currency, w.lot_id
  from line w
  left join lateral (
    select * from books.entries own
    where (own.entity_id, own.stream, own.record_id) = (:'entity', w.stream, w.record_id) and own.reverses is null
      and not books_internal.is_reversed(own.entity_id, own.entry_id)
    order by own.ordinal desc limit 1
  ) as e on true
), payer as (
  select p.taxpayer, p.cost_method, last.through as closed, last.entity_id as closed_by, here.through as closed_here
  from books.profiles p
  left join lateral (
    select c.through, c.entity_id
    from books.profiles q
    join books_internal.closed_through c using (entity_id)
    where q.taxpayer = p.taxpayer
    order by c.through desc nulls last, c.entity_id limit 1
  ) as last on true
  left join books_internal.closed_through here on here.entity_id = p.entity_id
  where p.entity_id = :'entity'
)
select d.nth::int as nth, d.effective_at as disposed_at, taken.period, trim_scale(taken.units)::text as disposed,
  p.cost_method as method, coalesce(p.closed, '') as closed, p.closed_by, coalesce(p.closed_here, '') as closed_here, l.entity_id as lot_entity_id, l.currency as lot_currency, l.acquired_at, l.pool, taken.pool as disposal_pool,
  trim_scale(l.units)::text as units, trim_scale(coalesce(used.units, 0))::text as used, later.effective_at as later
from disposal d
cross join payer p
left join lateral (
  select max(u.period) as period, sum(u.units) as units, max(u.pool) as pool
  from books_internal.lot_uses u
  where (u.entity_id, u.entry_id, u.currency) = (:'entity', d.entry_id, d.currency) and u.pool not in ('external', 'in-transit')
    and u.kind <> 'allotted' -- the first entry since places have lots of their own brings these
) as taken on true
left join books_internal.acquired_lots l on l.taxpayer = p.taxpayer and l.lot_id = d.lot_id
left join books.entries later on (later.entity_id, later.entry_id) = (l.entity_id, l.entry_id) and later.posted_at > d.posted_at
left join lateral (
  select sum(u.units) as units
  from books_internal.lot_uses u
  join books.entries e using (entity_id, entry_id)
  where (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id) and e.effective_at <= d.effective_at
    and (u.entity_id, u.entry_id) not in (select :'entity'::text, o.entry_id from disposal o where o.entry_id is not null)
) as used on true
order by d.nth;
