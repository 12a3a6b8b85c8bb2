-- Journal: every posting of the period, two per leg, debit positive, in order of time.
-- For: importing the books elsewhere, audit. Ties to: trial_balance (debit and credit of each account); sums to zero per
-- entry and currency. An entry is in the period of its posting date: that in which it took effect or, if that month
-- (belongs_to) was already closed, a later one. recorded_at, landed_at and runs are left out.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/journal.sql
select e.entity_id, e.entry_id, e.effective_at, e.period, e.kind, e.stream, e.record_id, e.version, e.reverses, t.leg,
  side.account, t.currency, trim_scale(side.amount) as amount, e.description, e.belongs_to
from books_internal.entries_within(:'from'::timestamptz, :'to'::timestamptz, :'by') e
join books.transfers t using (entity_id, entry_id)
cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount)
where books_internal.is_chosen(e.entity_id, :'entity')
order by e.entity_id collate "C", e.counted_at, e.effective_at, e.entry_id, t.leg, side.amount desc;
