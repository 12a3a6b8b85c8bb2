-- Statements of balances that the platform signed, and its own figures of a year, compared with the books.
-- For: auditors.
--   psql -f sql/views/28-confirmations.sql

create view books.confirmations as
select entity_id, confirmation_id, as_of, file_name, file_sha256, evidence_name, evidence_sha256, by_name as imported_by,
  at as imported_at, covered_to,
  lines, agreed, differing, year, currency as value_currency, trim_scale(tolerance) as tolerance
from reconcile.confirmations;
comment on view books.confirmations is
  'One row per statement of the platform that a person compared with the books: of balances, or of a year.';
comment on column books.confirmations.confirmation_id is 'Confirmation.';
comment on column books.confirmations.as_of is 'Instant that the statement is for; the end of the year.';
comment on column books.confirmations.file_name is 'Name of the imported statement.';
comment on column books.confirmations.file_sha256 is 'SHA-256 of that file, in hex.';
comment on column books.confirmations.covered_to is 'Until when the books were proved complete at the time; null if not at all.';
comment on column books.confirmations.lines is 'Number of lines compared.';
comment on column books.confirmations.agreed is 'Number of lines that agree.';
comment on column books.confirmations.differing is 'Number of lines that differ.';
comment on column books.confirmations.year is 'Calendar year of the platform''s figures (DAC8, CARF); null for balances.';
comment on column books.confirmations.value_currency is 'Currency of the year''s money; null for balances.';
comment on column books.confirmations.tolerance is 'Difference in money up to which a row of the year agrees; null for balances.';

create view books.confirmation_lines as
select entity_id, confirmation_id, line, account, currency, stated, booked, difference, status
from reconcile.confirmation_lines;
comment on view books.confirmation_lines is
  'One row per line of a confirmation, compared with the books.';
comment on column books.confirmation_lines.confirmation_id is 'Confirmation (books.confirmations).';
comment on column books.confirmation_lines.line is 'Number of the line.';
comment on column books.confirmation_lines.stated is 'Balance in the statement, in units; null if the statement has none.';
comment on column books.confirmation_lines.booked is 'Balance in the books, in units; null if the books have none.';
comment on column books.confirmation_lines.difference is 'Stated minus booked, in units.';
comment on column books.confirmation_lines.status is 'agrees, differs, not-in-books or not-in-statement.';

create view books.confirmation_year_lines as
select entity_id, confirmation_id, line, asset, what, sub_type, trim_scale(stated_units) as stated_units,
  trim_scale(booked_units) as booked_units, trim_scale(coalesce(stated_units, 0) - booked_units) as units_difference,
  trim_scale(stated_value) as stated_value, trim_scale(booked_value) as booked_value,
  trim_scale(coalesce(stated_value, 0) - booked_value) as value_difference, valued, stated_count, booked_count,
  case when line is null or stated_count is not null then coalesce(stated_count, 0) - booked_count end as count_difference, status,
  differing, valuation
from reconcile.confirmation_year_lines;
comment on view books.confirmation_year_lines is
  'One row per row of the platform''s figures of a year, compared with dac8_check.csv.';
comment on column books.confirmation_year_lines.confirmation_id is 'Confirmation (books.confirmations).';
comment on column books.confirmation_year_lines.line is 'Line of the file; null if the file lacks the row.';
comment on column books.confirmation_year_lines.asset is 'Asset.';
comment on column books.confirmation_year_lines.what is 'Type of transaction, as in dac8_check.csv.';
comment on column books.confirmation_year_lines.sub_type is 'Type of transfer; empty without one.';
comment on column books.confirmation_year_lines.stated_units is 'Units in the file; null if the file lacks the row.';
comment on column books.confirmation_year_lines.booked_units is 'Units in the books.';
comment on column books.confirmation_year_lines.units_difference is 'Stated minus booked, in units.';
comment on column books.confirmation_year_lines.stated_value is 'Money in the file; null if the file lacks the row.';
comment on column books.confirmation_year_lines.booked_value is 'Money in the books; null if nothing of it has a value.';
comment on column books.confirmation_year_lines.value_difference is 'Stated minus booked, in money; null if the books have none.';
comment on column books.confirmation_year_lines.valued is 'How many of the booked transactions have a value.';
comment on column books.confirmation_year_lines.stated_count is 'Number of transactions in the file; null if it states none.';
comment on column books.confirmation_year_lines.booked_count is 'Number of transactions in the books.';
comment on column books.confirmation_year_lines.count_difference is 'Stated minus booked, in transactions; null if the file states none.';
comment on column books.confirmation_year_lines.status is 'agrees, differs, not-in-books or not-in-file.';
comment on column books.confirmation_year_lines.differing is 'What differs where both have the row: units, money, count.';
comment on column books.confirmation_year_lines.valuation is 'Rules that valued the books'' figure.';
