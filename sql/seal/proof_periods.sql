-- Proof of periods: an entry is posted in the month in which it took effect, or in a later one if that month was closed,
-- and then names it.
-- For: verify ledger. Ties to: books.seals; prior_period of the trial balance.
--   psql -f sql/seal/proof_periods.sql
with entry as (
  select e.entity_id, e.entry_id, e.period, e.belongs_to, e.is_returned,
    to_char(e.effective_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM') as month
  from books.entries e
  left join books.entities n using (entity_id)
), judged as (
  select entity_id, entry_id,
    case
      when belongs_to is null and not is_returned and period <> month then format('took effect in %s and counts in %s', month, period)
      when belongs_to is not null and belongs_to <> month
        then format('took effect in %s and names %s as its original period', month, belongs_to)
      when belongs_to is not null and not exists (
        select from books.seals s where s.entity_id = entry.entity_id and s.period >= entry.belongs_to
      ) then format('counts in %s, though %s was never closed', period, belongs_to)
    end as fault
  from entry
)
select count(*) as checked, count(fault) as faults,
  min(format('entry %s of %s %s', entry_id, entity_id, fault) collate "C") filter (where fault is not null) as first
from judged;
