-- Proof of the monthly summary of values: each of its rows is the sum of its lines, and every line has its row.
-- For: verify ledger. Ties to: books_internal.value_monthly, from which the reports in value open.
--   psql -f sql/proofs/value_monthly.sql
with compared as (
  select entity_id, period, booked_in, taxpayer, account, currency, value_currency, s.units, s.exact, s.value, m.units as kept_units,
    m.exact as kept_exact, m.value as kept_value,
    (s.units, s.exact, s.value, s.debit, s.credit, s.unvalued, s.missing)
      is distinct from (m.units, m.exact, m.value, m.debit, m.credit, m.unvalued, m.missing) as is_fault
  from value.monthly_sums s
  full join value.monthly m using (entity_id, period, booked_in, effective_in, taxpayer, account, currency, value_currency)
)
select count(*) as checked, count(*) filter (where is_fault) as faults,
  min(format('%s %s of %s in %s: the lines sum to %s and %s in value, the summary has %s', account, currency, entity_id, period,
    coalesce(trim_scale(units), 0), coalesce(trim_scale(coalesce(value, exact))::text, 'none'),
    coalesce(trim_scale(kept_units) || ' and ' || coalesce(trim_scale(coalesce(kept_value, kept_exact))::text, 'none'), 'nothing'))
    collate "C") filter (where is_fault) as first
from compared;
