-- Biggest movements: the largest amounts of each currency that moved between the trading account and elsewhere.
-- For: review, fraud. Ties to: movements, by record_id; status and outcome show whether each one is booked.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v most=10 -f sql/cookbook/biggest_movements.sql
select currency, place, trim_scale(amount) as amount, entity_id, created_at, movement_type, origin, status, outcome, record_id
from (
  select *, row_number() over (
    partition by currency order by abs(amount) desc, created_at, entity_id collate "C", record_id collate "C"
  ) as place
  from books.movements
  where created_at >= :'from'::timestamptz and created_at < :'to'::timestamptz and amount is not null
) as movement
where place <= :'most'::integer
order by currency collate "C", place;
