-- Transfer days: the days of each entity's transfers to and from people and chains to pair, with their sums and the number of
-- addresses on which the entity receives that currency: those that have changed since they were last paired, those with an
-- unpaired record that names one of our entities, and the days near them. A total: what a currency sums to now, if that or the
-- number has changed. Days are read of such currencies only: of the last month, and further back if that is not all of it.
-- For: reconcile, before it pairs transfers between our own entities. Ties to: ledger.daily.
--   psql -v days_apart=8 -f sql/reconcile/transfer_days.sql
with receiving as materialized ( -- on how many addresses an entity receives a currency
  select a.entity_id, p.currency, count(*)::integer as addresses
  from books_internal.own_addresses a
  join land.pockets p on p.entity_id = a.entity_id and lower(p.pocket_id) = a.pocket_id
  group by 1, 2
), summed as ( -- what each currency sums to now
  select entity_id, currency, sum(debit) as debit, sum(credit) as credit, bool_or(account = 'equity:external:blockchain') as is_chain
  from ledger.totals
  where account in ('equity:external:person', 'equity:external:blockchain')
  group by 1, 2
), grown as materialized ( -- the currencies whose sum or number of addresses has changed
  select s.entity_id, s.currency, s.debit, s.credit, coalesce(r.addresses, 0) as receiving, s.addresses,
    k.addresses is distinct from s.addresses as is_anew, s.debit - coalesce(k.debit, 0) as new_debit, s.credit - coalesce(k.credit, 0) as new_credit
  from (
    select t.*, case when t.is_chain then coalesce(r.addresses, 0) else 0 end as addresses
    from summed t
    left join receiving r using (entity_id, currency)
  ) as s
  left join receiving r using (entity_id, currency)
  left join reconcile.paired_totals k on (k.entity_id, k.account, k.currency) = (s.entity_id, 'equity:external', s.currency)
  where (s.debit, s.credit, s.addresses) is distinct from (k.debit, k.credit, k.addresses)
), recent as materialized ( -- their changed days of the last month
  select g.entity_id, g.currency, d.*
  from grown g
  cross join lateral (
    select max(day) - 31 as since
    from (values ('equity:external:person'), ('equity:external:blockchain')) as side (account)
    cross join lateral (
      select max(effective_day) as day from ledger.daily
      where (entity_id, account, currency) = (g.entity_id, side.account, g.currency)
    ) as newest
  ) as last
  cross join lateral books_internal.transfer_changes(g.entity_id, g.currency, g.receiving, last.since) d
  where not g.is_anew
), older as materialized ( -- all their changed days, where the last month does not hold all of the change
  select g.entity_id, g.currency, d.*
  from grown g
  left join (
    select entity_id, currency, sum(new_debit) as new_debit, sum(new_credit) as new_credit from recent group by 1, 2
  ) as r using (entity_id, currency)
  cross join lateral books_internal.transfer_changes(g.entity_id, g.currency, g.receiving, '-infinity') d
  where g.is_anew or (coalesce(r.new_debit, 0), coalesce(r.new_credit, 0)) <> (g.new_debit, g.new_credit)
), changed as materialized (
  select entity_id, currency, day, debit, credit, addresses from recent
  union
  select entity_id, currency, day, debit, credit, addresses from older
), due as materialized ( -- with the days on which something is unpaired
  select * from changed
  union all
  select k.entity_id, k.currency, k.effective_day, k.debit, k.credit, k.addresses
  from reconcile.own_days k
  where k.lone > 0 and (k.entity_id, k.currency, k.effective_day) not in (select entity_id, currency, day from changed)
), reversed as materialized ( -- entries that were reversed, among those of these days
  select d.entity_id, e.entry_id
  from (select distinct entity_id, day from due) as d
  cross join lateral books_internal.reversed_on(d.entity_id, d.day) e
), freed as ( -- the days of those that were reversed since, for what was cancelled with them, and of what was paired with them
  select t.currency, (e.effective_at at time zone 'UTC')::date as day
  from (select distinct entity_id, day from changed where exists (select from reconcile.own_days)) as d
  cross join lateral (select d.entity_id, r.entry_id from books_internal.reversed_on(d.entity_id, d.day) r) as u
  cross join lateral (
    select own.effective_at from ledger.entries own where (own.entity_id, own.entry_id) = (u.entity_id, u.entry_id) offset 0
  ) as e
  cross join lateral (
    select own.currency from ledger.transfers own
    where (own.entity_id, own.entry_id) = (u.entity_id, u.entry_id)
      and ('equity:external:person' in (own.debit, own.credit) or 'equity:external:blockchain' in (own.debit, own.credit))
    offset 0
  ) as t
  union
  select k.currency, (k.to_at at time zone 'UTC')::date as day
  from reversed u join reconcile.own_transfers k on (k.from_entity, k.from_entry_id) = (u.entity_id, u.entry_id)
  union
  select k.currency, (k.from_at at time zone 'UTC')::date
  from reversed u join reconcile.own_transfers k on (k.to_entity, k.to_entry_id) = (u.entity_id, u.entry_id)
), near as materialized ( -- and the days around all of these
  select distinct d.currency, d.day + apart as day
  from (select currency, day from due union select currency, day from freed) as d
  cross join generate_series(-:'days_apart'::int, :'days_apart'::int) as apart
), to_pair as (
  select * from due
  union all
  select k.entity_id, k.currency, k.effective_day, k.debit, k.credit, k.addresses
  from summed s
  join near n using (currency)
  join reconcile.own_days k on (k.entity_id, k.currency, k.effective_day) = (s.entity_id, n.currency, n.day)
  where (k.entity_id, k.currency, k.effective_day) not in (select entity_id, currency, day from due)
)
select p.entity_id, p.currency, p.day::text, p.debit, p.credit, p.addresses, g.debit as total_debit, g.credit as total_credit,
  g.addresses as total_addresses
from to_pair p
left join grown g using (entity_id, currency);
