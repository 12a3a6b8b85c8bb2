-- Sources: what the values of each month of some entities are derived from, counted: its entries, all rates and official
-- rates up to its end, and the externally held lots.
-- For: valuation, which derives a month again when a count changes. Ties to: books.entries, by month.
--   psql -v entities='{main}' -v currency=EUR -v timezone=UTC -f sql/valuation/sources.sql
with months as (
  select entity_id, period, count(*)::int as entries from ledger.entries
  where entity_id = any(:'entities'::text[]) group by 1, 2
), rate as (
  select to_char(at at time zone :'timezone', 'YYYY-MM') as period, count(*) as rates from land.rates
  where currency <> :'currency' group by 1
), official as (
  select to_char(day, 'YYYY-MM') as period, count(*) as rates from land.official_rates group by 1
)
select m.entity_id, m.period, m.entries,
  (select coalesce(sum(r.rates), 0) from rate r where r.period <= m.period) as rates,
  (select coalesce(sum(o.rates), 0) from official o where o.period <= m.period) as official,
  (select count(*) from decide.outside_lots where entity_id = any(:'entities'::text[])) as outside
from months m;
