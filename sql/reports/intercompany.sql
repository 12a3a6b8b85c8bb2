-- Intercompany: what each of our own entities sent to and received from every other one, per currency, and what cancels in a group.
-- For: group accounting. Ties to: books.own_transfers; consolidated_trial_balance, eliminated_value and in_transit_value;
-- counterparties, type own-entity. One row per entity and partner: the partner has a row of its own, with the other side.
-- transfers, sent and received are what the period added to the sides of pairs: a pair of which a side was cancelled in it counts with a
-- minus on both sides. The other figures are the state at its end, debit positive (sent less received): eliminated, both sides are
-- booked: what the receiver booked, so that all rows of a currency sum to zero although a fee may lie between the two; in_transit, the
-- partner had not booked its side; unpaired, the record names the partner, whose books have no counterpart. In money, both sides eliminate
-- the value that the receiver booked; difference_value is what the sender's own value is above it (two taxpayers may value one transfer
-- differently), less a fee that people entered for what did not arrive, in whose books they did. unvalued: transfers of the state without
-- a value on a side, which eliminate units alone. Books of clients are left out.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/intercompany.sql
with part as (
  select entity_id, partner_id, currency, state.counts, state.is_end, is_settled, units, eliminated_units, value, eliminated_value,
    difference_value, 0 as unpaired, (is_settled and eliminated_value is null or value is null)::int as unvalued
  from (values (:'to'::timestamptz, 1, true), (:'from'::timestamptz, -1, false)) as state (until, counts, is_end)
  cross join lateral books_internal.own_sides(state.until, :'by', :'entity')
  union all
  select entity_id, partner_id, currency, 0, true, null, 0, 0, 0, 0, 0, units, 0
  from books_internal.unpaired_sides(:'to'::timestamptz, :'by')
), total as (
  select entity_id, partner_id, currency, sum(counts) as transfers, coalesce(sum(counts * units) filter (where units > 0), 0) as sent,
    coalesce(-sum(counts * units) filter (where units < 0), 0) as received,
    coalesce(sum(eliminated_units) filter (where is_end and is_settled), 0) as eliminated,
    coalesce(sum(units) filter (where is_end and not is_settled), 0) as in_transit, sum(unpaired) as unpaired,
    coalesce(sum(counts * value) filter (where units > 0), 0) as sent_value,
    coalesce(-sum(counts * value) filter (where units < 0), 0) as received_value,
    coalesce(sum(eliminated_value) filter (where is_end and is_settled), 0) as eliminated_value,
    coalesce(sum(value) filter (where is_end and not is_settled), 0) as in_transit_value,
    coalesce(sum(difference_value) filter (where is_end and is_settled), 0) as difference_value,
    coalesce(sum(unvalued) filter (where is_end), 0) as unvalued
  from part
  where books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, partner_id, currency
)
select entity_id, partner_id, currency, transfers, trim_scale(sent) as sent, trim_scale(received) as received,
  trim_scale(eliminated) as eliminated, trim_scale(in_transit) as in_transit, trim_scale(unpaired) as unpaired, n.value_currency,
  round(sent_value, 2) as sent_value, round(received_value, 2) as received_value, round(eliminated_value, 2) as eliminated_value,
  round(in_transit_value, 2) as in_transit_value, round(difference_value, 2) as difference_value, unvalued
from total
left join (select entity_id, currency as value_currency from books.entities) as n using (entity_id)
order by entity_id collate "C", partner_id collate "C", currency collate "C";
