-- Trade volume: amounts bought and sold in each market, per month, of the trades that are booked.
-- For: trading desk, fee tiers. Ties to: trades, outcome booked; cost is the gateway's own figure.
--   psql -v timezone=Europe/Madrid -f sql/cookbook/trade_volume.sql
with trade as (
  select *, to_char(created_at at time zone :'timezone', 'YYYY-MM') as month
  from books.trades
  where outcome = 'booked'
)
select entity_id, month, symbol, side, count(*) as trades, trim_scale(sum(amount)) as amount, amount_currency,
  trim_scale(sum(cost)) as cost, price_currency
from trade
group by entity_id, month, symbol, side, amount_currency, price_currency
order by entity_id collate "C", month collate "C", symbol collate "C", side collate "C", amount_currency collate "C",
  price_currency collate "C";
