-- Clearing days: the days of an entity's clearing accounts to pair, with their sums: those that have changed since they were
-- last paired, those with an unpaired move, and those of a move whose counterpart was reversed.
-- For: reconcile, before it pairs the moves. Ties to: ledger.daily.
--   psql -v entity=main -f sql/reconcile/clearing_days.sql
with summed as materialized (
  select account, currency, effective_day as day, sum(debit) as debit, sum(credit) as credit
  from ledger.daily
  where entity_id = :'entity' and account like 'assets:clearing:%'
  group by 1, 2, 3
), changed as materialized (
  select s.*
  from summed s
  left join reconcile.clearing_days k on (k.entity_id, k.account, k.currency, k.effective_day) = (:'entity', s.account, s.currency, s.day)
  where k.unmatched is null or k.unmatched > 0 or (k.debit, k.credit) <> (s.debit, s.credit)
), reversed as materialized (
  select e.reverses as entry_id
  from (select distinct day from changed) as d
  join ledger.entries e on e.entity_id = :'entity' and e.entry_id >= books_internal.first_entry_id(d.day::timestamp at time zone 'UTC')
    and e.entry_id < books_internal.first_entry_id((d.day + 1)::timestamp at time zone 'UTC')
  where e.reverses is not null
), freed as (
  select m.account, m.currency, (m.credit_at at time zone 'UTC')::date as day
  from reversed u join reconcile.clearing_matches m on (m.entity_id, m.debit_entry_id) = (:'entity', u.entry_id)
  union
  select m.account, m.currency, (m.debit_at at time zone 'UTC')::date
  from reversed u join reconcile.clearing_matches m on (m.entity_id, m.credit_entry_id) = (:'entity', u.entry_id)
)
select account, currency, day::text, debit, credit from changed
union
select account, currency, day::text, debit, credit from summed join freed using (account, currency, day);
