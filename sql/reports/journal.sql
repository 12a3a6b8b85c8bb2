-- Journal: every posting of the period, two per leg, debit positive, in order of time.
-- For: importing the books elsewhere, audit. Ties to: trial_balance (debit and credit of each account); sums to zero per
-- entry and currency. An entry is in the period of its posting date: that in which it took effect or, if that month
-- (original_period) was already closed, a later one. recorded_at, landed_at and runs are left out.
-- number counts the entries of the entity in the fiscal year of their posting dates from 1, without gaps: a late entry and a reversal have
-- a number of their own posting date, and in a closed month no number changes any more. across is the other account of the leg;
-- prepared_by and approved_by are the people behind an entry by hand, empty for those from records. The value of a posting is in
-- general_ledger: it rests on rates that may arrive later, and the journal is the same whenever its records arrived.
-- last_run: the number of the last run whose entries are shown, with the numbers that they have today; all if it is empty.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= -v last_run= --csv -f sql/reports/journal.sql
with numbered as materialized (
  select * from books_internal.entry_numbers(:'from'::timestamptz, :'to'::timestamptz, :'entity')
), by_hand as materialized (
  select entity_id, entry_id, prepared_by, approved_by
  from books.manual_entries
)
select l.entity_id, l.entry_id, l.effective_at, l.period, l.kind, l.stream, l.record_id, l.version, l.reverses, l.leg,
  side.account, l.currency, trim_scale(side.amount) as amount, l.description, l.original_period, n.number, side.across, h.prepared_by, h.approved_by
from books_internal.legs_within(:'from'::timestamptz, :'to'::timestamptz, :'by') l
cross join lateral (values (l.debit, l.credit, l.amount), (l.credit, l.debit, -l.amount)) as side (account, across, amount)
left join numbered n using (entity_id, entry_id)
left join by_hand h using (entity_id, entry_id)
where books_internal.is_chosen(l.entity_id, :'entity')
  and (:'last_run' = '' or exists (
    select from books.entries e
    where (e.entity_id, e.entry_id) = (l.entity_id, l.entry_id) and e.entry_number <= (select books_internal.last_entry_by(nullif(:'last_run', '')::bigint))
  ))
order by l.entity_id collate "C", l.counted_at, l.effective_at, l.entry_id, l.leg, side.amount desc;
