-- Prices used: every rate and price that a value of the period rests on, and how much rests on it.
-- For: audit, month-end close. Ties to: trial_balance. lines are all lines of value of the period, in one row each: per entity and
-- currency, debit_value - credit_value is the change from opening_value to closing_value. rule: rate (a market rate), own-cost
-- (the amount in the reporting currency of an exchange), cost-euro (the platform's value in euro), converted-amount (the value of a reward
-- by the platform), opening-file (an imported cost), reporting-currency (the amount itself); the other rules carry earlier
-- values on and need no price. source is the record of the rate, or the record of the entry. rate: units of value_currency
-- for one unit of rate_currency, with 18 decimals (below 0.000001 with 36). rate_currency is the other side of an exchange that is valued by that side; source and
-- rate are empty for lines without a value (unvalued). units and value_at_rate are those of the legs, without a sign; value_at_rate is exact, and
-- rate is value_at_rate / units unless it is a market rate. ages: between the rate and the entries.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/prices_used.sql
select *
from books_internal.prices_used(:'from'::timestamptz, :'to'::timestamptz, :'by', :'entity')
order by entity_id collate "C", currency collate "C", rule collate "C", source collate "C" nulls first, path collate "C", rate_currency collate "C", rate,
  rate_at, value_currency collate "C";
