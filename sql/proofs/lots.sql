-- Proof of lots: the rest of a taxpayer's lots equals the booked units, and its cost the carrying amount; no lot has less than
-- nothing left; and where each place of an entity has its own lots, they equal the units that are booked there, or the one pool still has
-- what a place lacks, until the next entry of its entity; unless a place of the taxpayer was short of units of the asset.
-- For: verify ledger. Ties to: books.postings and books.value_postings, over the accounts that hold something.
--   psql -f sql/proofs/lots.sql
with owner as (
  select distinct entity_id, taxpayer, value_currency from books.value_postings
), booked as (
  select o.taxpayer, b.currency, sum(b.amount) as units
  from books.postings b
  join owner o using (entity_id)
  where books_internal.is_holding(b.account) and b.currency <> o.value_currency
  group by o.taxpayer, b.currency
), carried as (
  select taxpayer, currency, sum(exact) as cost
  from books.value_postings
  where books_internal.is_holding(account) and currency <> value_currency
  group by taxpayer, currency
), lot as (
  select taxpayer, currency, sum(units_left) as units, sum(cost_left) as cost from books.lots where pool not in ('external', 'in-transit') group by 1, 2
), without_lot as (
  select taxpayer, currency, sum(units) as units from books.disposals_without_lot where pool not in ('external', 'in-transit') group by 1, 2
), wallet as (
  select taxpayer, entity_id, pool, currency, sum(units) as units
  from (
    select taxpayer, entity_id, pool, currency, units_left as units from books.lots
    union all
    select taxpayer, entity_id, pool, currency, -units from books.disposals_without_lot
  ) as part
  where pool not in ('external', 'in-transit')
  group by taxpayer, entity_id, pool, currency
), waiting as ( -- for the places that lack them
  select taxpayer, currency, sum(units) as units from wallet where pool = 'held' group by 1, 2
), holding as not materialized (
  select entity_id, currency, case
      when account in ('assets:trading', 'assets:trading-bots') then 'trading'
      when account = 'assets:earn' then 'earn'
      else 'pockets'
    end as pool, amount, posted_at
  from books.postings
  where books_internal.is_holding(account)
), place as (
  select entity_id, currency, pool, sum(amount) as units from holding group by 1, 2, 3
), misplaced as (
  select w.taxpayer, w.entity_id, w.pool, w.currency, w.units, coalesce(p.units, 0) as booked
  from wallet w
  left join place p using (entity_id, pool, currency)
  left join waiting using (taxpayer, currency)
  where w.pool <> 'held' and coalesce(p.units, 0) - w.units not between 0 and greatest(waiting.units, 0)
), short as ( -- assets of which a place lacked units at some time: then others had lots that were not theirs, or it has units of no lot
  select distinct taxpayer, currency
  from (
    select o.taxpayer, h.currency, sum(sum(h.amount)) over (partition by h.entity_id, h.currency, h.pool order by h.posted_at) as units
    from holding h
    join owner o using (entity_id)
    where (o.taxpayer, h.currency) in (select taxpayer, currency from misplaced)
    group by o.taxpayer, h.entity_id, h.currency, h.pool, h.posted_at
  ) as running
  where units < 0
), judged as (
  select l.taxpayer, l.currency, format('uses %s more of lot %s than it has', -l.units_left, l.lot_id) as fault
  from books.lots l
  where l.units_left < 0
  union all
  select w.taxpayer, w.currency,
    format('has %s in the lots of %s, the books %s', trim_scale(w.units), w.pool, trim_scale(w.booked))
  from misplaced w
  where (w.taxpayer, w.currency) not in (select taxpayer, currency from short)
    and (w.taxpayer, w.currency) not in (select taxpayer, currency from books.disposals_without_lot where pool = 'held') -- of no place
  union all
  select taxpayer, currency,
    case
      when coalesce(l.units, 0) - coalesce(u.units, 0) <> coalesce(b.units, 0)
        then format('has %s in lots and %s without, the books %s', coalesce(l.units, 0), coalesce(u.units, 0), coalesce(b.units, 0))
      when coalesce(l.cost, 0) <> coalesce(c.cost, 0)
        then format('has lots of %s, the books carry %s', coalesce(l.cost, 0), coalesce(c.cost, 0))
    end as fault
  from booked b
  full join lot l using (taxpayer, currency)
  full join without_lot u using (taxpayer, currency)
  full join carried c using (taxpayer, currency)
)
select count(*) as checked, count(fault) as faults,
  min(format('%s of %s %s', currency, taxpayer, fault) collate "C") filter (where fault is not null) as first
from judged;
