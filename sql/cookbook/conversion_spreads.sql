-- Conversion spreads: what the price of each conversion hides against the market rate that its record carries; without one, why.
-- For: cost control; whoever compares the platform's prices. Ties to: trial_balance, account equity:conversion: paid and received
-- are the wallet's part of it. The spread is inside the price and in no fee account.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -f sql/cookbook/conversion_spreads.sql
select entity_id, effective_at, record_id, paid, paid_currency, received, received_currency, market_rate, received_at_rate, spread,
  spread_percent, flip_fee_amount, flip_fee_currency, reason
from books.conversion_spreads
where effective_at >= :'from'::timestamptz and effective_at < :'to'::timestamptz
order by entity_id collate "C", effective_at, record_id collate "C";
