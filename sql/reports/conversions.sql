-- Conversions: every exchange of one currency for another that the period booked, in a wallet or by a trade, and its spread.
-- For: cost control, treasury; whoever compares the platform's prices. Ties to: trial_balance, account equity:conversion, sold_units -
-- bought_units for debit - credit + prior_period, and value for the same in value; journal, by entry. Rates are units of the second
-- currency of symbol for one of the first: implied_rate by the amounts, stated_rate as the record states the price, own_rate the market
-- rate that a wallet's record carries (own_rate_missing: why there is none), market_rate by the newest prices of the 24 hours before, as values
-- use them (market_source; market_at and age are the older one's). spread_value = sold_value - bought_value, both at market: what the
-- price hides, by a price that may be hours old. own_spread_value is the same by own_rate, which is of that moment. Both are exact, in
-- value_currency, inside the price and in no fee account; fees are apart (in_cost, in_proceeds, expensed). A currency without a price is in
-- unpriced, and what needs it is empty, never 0. A reversal is a row of its own with the opposite sign. An entry that does not exchange one
-- currency for one other has a row for each, without a spread. value is empty for a corrected entry.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/conversions.sql
select entity_id, effective_at, kind, subtype, means, sold_currency, sold_units, bought_currency, bought_units, symbol, implied_rate, stated_rate,
  own_rate, market_rate, market_source, market_at, price_age_seconds, unpriced, value_currency, value, sold_value, bought_value, spread_value, spread_percent,
  own_spread_value, own_spread_percent, own_rate_missing, in_cost, in_proceeds, expensed, flip_fee_amount, flip_fee_currency, stream, record_id,
  entry_id, original_period
from books_internal.conversions(:'from'::timestamptz, :'to'::timestamptz, :'by', :'entity')
order by entity_id collate "C", counted_at, effective_at, entry_id, sold_currency collate "C", bought_currency collate "C";
