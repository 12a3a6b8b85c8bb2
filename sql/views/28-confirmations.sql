-- Statements of balances that the platform signed, compared with the books.
-- For: auditors.
--   psql -f sql/views/28-confirmations.sql

create view books.confirmations as
select entity_id, confirmation_id, as_of, file_name, file_sha256, evidence_name, evidence_sha256, by_name as imported_by,
  at as imported_at, covered_to,
  lines, agreed, differing
from reconcile.confirmations;
comment on view books.confirmations is
  'One row per statement of balances that the platform signed and a person imported.';
comment on column books.confirmations.confirmation_id is 'Confirmation.';
comment on column books.confirmations.as_of is 'Instant that the statement is for.';
comment on column books.confirmations.file_name is 'Name of the imported statement.';
comment on column books.confirmations.file_sha256 is 'SHA-256 of that file, in hex.';
comment on column books.confirmations.imported_by is 'Who imported it.';
comment on column books.confirmations.imported_at is 'When it was imported.';
comment on column books.confirmations.covered_to is 'Until when the books were proved complete at the time; null if not at all.';
comment on column books.confirmations.lines is 'Number of lines compared.';
comment on column books.confirmations.agreed is 'Number of lines that agree.';
comment on column books.confirmations.differing is 'Number of lines that differ.';

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
