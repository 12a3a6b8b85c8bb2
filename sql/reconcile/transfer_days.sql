-- Transfer days: the days of each entity's transfers to and from people and chains to pair, with their sums and the number of
-- addresses on which the entity receives that currency: those that have changed since they were last paired, those with an
-- unpaired record that names one of our entities, and the days near them.
-- For: reconcile, before it pairs transfers between our own entities. Ties to: ledger.daily.
--   psql -v days_apart=8 -f sql/reconcile/transfer_days.sql
with receiving as materialized (
  select a.entity_id, p.currency, count(*)::integer as addresses
  from books_internal.own_addresses a
  join land.pockets p on p.entity_id = a.entity_id and lower(p.pocket_id) = a.pocket_id
  group by 1, 2
), daily as materialized (
  select entity_id, currency, effective_day as day, sum(debit) as debit, sum(credit) as credit,
    bool_or(account = 'equity:external:blockchain') as is_chain
  from ledger.daily
  where account in ('equity:external:person', 'equity:external:blockchain')
  group by 1, 2, 3
), summed as materialized (
  select d.entity_id, d.currency, d.day, d.debit, d.credit, case when d.is_chain then coalesce(r.addresses, 0) else 0 end as addresses
  from daily d
  left join receiving r using (entity_id, currency)
), changed as materialized (
  select s.*
  from summed s
  left join reconcile.own_days k on (k.entity_id, k.currency, k.effective_day) = (s.entity_id, s.currency, s.day)
  where k.lone is null or k.lone > 0 or (k.debit, k.credit, k.addresses) <> (s.debit, s.credit, s.addresses)
), reversed as materialized (
  select e.entity_id, e.reverses as entry_id
  from (select distinct entity_id, day from changed) as d
  join ledger.entries e on e.entity_id = d.entity_id and e.entry_id >= books_internal.first_entry_id(d.day::timestamp at time zone 'UTC')
    and e.entry_id < books_internal.first_entry_id((d.day + 1)::timestamp at time zone 'UTC')
  where e.reverses is not null
), freed as (
  select k.currency, (k.to_at at time zone 'UTC')::date as day
  from reversed u join reconcile.own_transfers k on (k.from_entity, k.from_entry_id) = (u.entity_id, u.entry_id)
  union
  select k.currency, (k.from_at at time zone 'UTC')::date
  from reversed u join reconcile.own_transfers k on (k.to_entity, k.to_entry_id) = (u.entity_id, u.entry_id)
), near as (
  select distinct d.currency, d.day + apart as day
  from (select currency, day from changed union select currency, day from freed) as d
  cross join generate_series(-:'days_apart'::int, :'days_apart'::int) as apart
)
select entity_id, currency, day::text, debit, credit, addresses from summed join near using (currency, day);
