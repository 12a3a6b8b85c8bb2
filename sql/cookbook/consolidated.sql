-- Consolidated: reported and booked over all of our entities, per currency, and the transfers between them.
-- For: group accounting. Ties to: tie_outs, the last of each entity; books.own_transfers.
--   psql -f sql/cookbook/consolidated.sql
select currency, entities, reported, booked, difference, not_compared, uncovered, own_transfers, own_out, own_in, person_outside
from books.consolidated
order by currency collate "C";
