-- Orders: each order that was filled between two instants, its fills together, and the order's own figures. An order whose fills
-- lie on both sides is shown whole.
-- For: trading desk; whoever looks for a trade that is not listed. Ties to: books.trades, which has its fills one by one; a
-- difference of amount and filled_amount is also a note of sql/checks/order_fills.sql.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -f sql/cookbook/orders.sql
select entity_id, order_id, symbol, side, status, order_amount, filled_amount, amount, fills, cost, order_cost, average_price, fees,
  first_fill_at, last_fill_at
from books.orders
where first_fill_at < :'to'::timestamptz and last_fill_at >= :'from'::timestamptz
order by entity_id collate "C", first_fill_at, order_id collate "C";
