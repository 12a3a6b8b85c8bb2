-- Proof of periods: an entry is posted in the month in which it took effect, or in a later one if that month was closed,
-- and then names it.
-- For: verify ledger. Ties to: books.seals; prior_period of the trial balance.
--   psql -f sql/seal/proof_periods.sql
with entry as (
  select e.entity_id, e.entry_id, e.period, e.original_period, e.is_returned,
    to_char(e.effective_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM') as month
  from books.entries e
  left join books.entities n using (entity_id)
), judged as (
  select entity_id, entry_id,
    case
      when original_period is null and not is_returned and period <> month then format('took effect in %s and counts in %s', month, period)
      when original_period is not null and original_period <> month
        then format('took effect in %s and names %s as its original period', month, original_period)
      when original_period is not null and not exists (
        select from books.seals s where s.entity_id = entry.entity_id and s.period >= entry.original_period
      ) then format('counts in %s, though %s was never closed', period, original_period)
    end as fault
  from entry
)
select count(*) as checked, count(fault) as faults,
  min(format('entry %s of %s %s', entry_id, entity_id, fault) collate "C") filter (where fault is not null) as first
from judged;
