-- Consolidated trial balance: the closing of each of our own entities by account code and asset class, what transfers between them eliminate, and the rest.
-- For: group accounting. Ties to: trial_balance, closing_value by code and class; intercompany, eliminated_value. One row per entity, code and class,
-- so that none mixes cash and coins where accounts of both have one code:
-- consolidated_value = closing_value - eliminated_value, so that the sum of a column over the rows of a code and class is the group's figure
-- (the function books.consolidated_trial_balance has it), and eliminated_value sums to zero over all entities. Within consolidated_value remain
-- in_transit_value, what one of our entities sent and another had not booked at the end, and difference_value, what the sender
-- valued above the receiver. missing_value is what lines without a value leave open; with it each entity sums to zero. Codes are
-- those of the chart of accounts in force at the end. Books of clients are left out.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/consolidated_trial_balance.sql
select entity_id, account_code, account_name, statement, statement_class, value_currency, closing_value, eliminated_value,
  consolidated_value, in_transit_value, difference_value, unvalued, missing_value, asset_class
from books_internal.consolidated_lines(:'from'::timestamptz, :'to'::timestamptz, :'by', :'entity')
order by entity_id collate "C", account_code collate "C", asset_class collate "C", account_name collate "C", statement collate "C", statement_class collate "C";
