-- Journal prices: the price of the last fill of each market and day before an instant; days are cut in a timezone.
-- last_run: the number of the last run whose entries count; all if it is empty.
-- For: plain-text journals, which value with them. Ties to: trades.csv, price. Prices with more than 18 decimals are
-- left out, and so are missing ones: no posting depends on a price.
--   psql -v to=2026-11-01T00:00:00Z -v entity= -v timezone=Europe/Madrid -v last_run= -f sql/journals/prices.sql
select distinct on (fill.day, currency collate "C", price_currency collate "C") fill.day::text as day, currency, price_currency, trim_scale(price) as price
from (
  select (created_at at time zone :'timezone')::date as day, created_at, record_id, entity_id, amount_currency as currency,
    price_currency, price
  from books.trades t
  where outcome = 'booked' and created_at < :'to'::timestamptz and price > 0 and scale(trim_scale(price)) <= 18
    and amount_currency <> price_currency
    and books_internal.is_chosen(entity_id, :'entity')
    and (:'last_run' = '' or exists (
      select from books.entries e
      where (e.entity_id, e.stream, e.record_id, e.version) = (t.entity_id, 'trades', t.record_id, t.version)
        and e.entry_number <= (select books_internal.last_entry_by(nullif(:'last_run', '')::bigint))
    ))
) as fill
order by fill.day, currency collate "C", price_currency collate "C", created_at desc, record_id collate "C" desc, entity_id collate "C";
