-- Trades: every trade of the period as the gateway told it, and what became of it (booked, rejected, set aside: why).
-- For: trading desk, tax. Ties to: journal, by stream and record_id of the booked ones. In the period by created_at;
-- a trade without a readable one is in rejects alone. cost_euro and fee_percentage are the gateway's, never recomputed.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/trades.sql
select entity_id, record_id, version, created_at, symbol, side, order_type, order_id, trim_scale(price) as price,
  price_currency, trim_scale(amount) as amount, amount_currency, trim_scale(cost) as cost,
  trim_scale(cost_euro) as cost_euro, trim_scale(fee_amount) as fee_amount, fee_currency,
  trim_scale(fee_percentage) as fee_percentage, is_maker, outcome
from books.trades
where created_at >= :'from'::timestamptz and created_at < :'to'::timestamptz
  and (:'entity' = '' or entity_id = any (string_to_array(:'entity', ',')))
order by entity_id collate "C", created_at, record_id collate "C";
