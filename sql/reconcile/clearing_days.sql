-- Clearing days: the days of an entity's clearing accounts to pair, with their sums: those that have changed since they were
-- last paired, those with an unpaired move, and those of a move whose counterpart was reversed. A total: what the account sums
-- to now, if that has changed. Days are read of such accounts only: of the last month, and further back if that is not all of it.
-- For: reconcile, before it pairs the moves. Ties to: ledger.daily.
--   psql -v entity=main -f sql/reconcile/clearing_days.sql
with grown as materialized ( -- the accounts whose sum has changed
  select t.account, t.currency, t.debit, t.credit, t.debit - coalesce(k.debit, 0) as new_debit, t.credit - coalesce(k.credit, 0) as new_credit
  from ledger.totals t
  left join reconcile.paired_totals k using (entity_id, account, currency)
  where t.entity_id = :'entity' and t.account like 'assets:clearing:%' and (t.debit, t.credit) is distinct from (k.debit, k.credit)
), recent as materialized ( -- their changed days of the last month
  select g.account, g.currency, d.*
  from grown g
  cross join lateral (
    select max(effective_day) - 31 as since from ledger.daily
    where (entity_id, account, currency) = (:'entity', g.account, g.currency)
  ) as last
  cross join lateral books_internal.clearing_changes(:'entity', g.account, g.currency, last.since) d
), older as materialized ( -- all their changed days, where the last month does not hold all of the change
  select g.account, g.currency, d.*
  from grown g
  left join (
    select account, currency, sum(new_debit) as new_debit, sum(new_credit) as new_credit from recent group by 1, 2
  ) as r using (account, currency)
  cross join lateral books_internal.clearing_changes(:'entity', g.account, g.currency, '-infinity') d
  where (coalesce(r.new_debit, 0), coalesce(r.new_credit, 0)) <> (g.new_debit, g.new_credit)
), changed as materialized (
  select account, currency, day, debit, credit from recent
  union
  select account, currency, day, debit, credit from older
), due as materialized ( -- with the days on which something is unpaired
  select * from changed
  union all
  select k.account, k.currency, k.effective_day, k.debit, k.credit
  from reconcile.clearing_days k
  where k.entity_id = :'entity' and k.unmatched > 0 and (k.account, k.currency, k.effective_day) not in (select account, currency, day from changed)
), reversed as materialized ( -- entries that were reversed, among those of these days
  select e.entry_id
  from (select distinct day from due) as d
  cross join lateral books_internal.reversed_on(:'entity', d.day) e
), freed as ( -- the days of what was paired with them
  select m.account, m.currency, (m.credit_at at time zone 'UTC')::date as day
  from reversed u join reconcile.clearing_matches m on (m.entity_id, m.debit_entry_id) = (:'entity', u.entry_id)
  union
  select m.account, m.currency, (m.debit_at at time zone 'UTC')::date
  from reversed u join reconcile.clearing_matches m on (m.entity_id, m.credit_entry_id) = (:'entity', u.entry_id)
), to_pair as (
  select * from due
  union all
  select f.account, f.currency, f.day, k.debit, k.credit
  from freed f
  join reconcile.clearing_days k on (k.entity_id, k.account, k.currency, k.effective_day) = (:'entity', f.account, f.currency, f.day)
  where (f.account, f.currency, f.day) not in (select account, currency, day from due)
)
select p.account, p.currency, p.day::text, p.debit, p.credit, g.debit as total_debit, g.credit as total_credit
from to_pair p
left join grown g using (account, currency);
