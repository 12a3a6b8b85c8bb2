-- Journal: every posting of the period, two per leg, debit positive, in order of time.
-- For: importing the books elsewhere, audit. Ties to: trial_balance (debit and credit of each account); sums to zero per
-- entry and currency. An entry is in the period of its posting date: that in which it took effect or, if that month
-- (belongs_to) was already closed, a later one. recorded_at, landed_at and runs are left out.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/journal.sql
with posting as (
  select p.*, books_internal.posting_date(p.belongs_to, :'by', p.effective_at, p.posted_at) as counted_at
  from books.postings p
  where books_internal.is_chosen(p.entity_id, :'entity')
)
select p.entity_id, p.entry_id, p.effective_at, p.period, p.kind, p.stream, p.record_id, e.version, e.reverses, p.leg,
  p.account, p.currency, trim_scale(p.amount) as amount, e.description, p.belongs_to
from posting p
join books.entries e using (entity_id, entry_id)
where p.counted_at >= :'from'::timestamptz and p.counted_at < :'to'::timestamptz
order by p.entity_id collate "C", p.counted_at, p.effective_at, p.entry_id, p.leg, p.amount desc;
