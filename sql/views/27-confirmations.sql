-- Statements of balances that the platform signed, compared with the books.
-- For: auditors.
--   psql -f sql/views/27-confirmations.sql

-- Statements of balances that the platform signed, and what the books said to each line.
create view books.confirmations as
select entity_id, confirmation_id, as_of, file_name, file_sha256, evidence_name, evidence_sha256, by_name, at, covered_to,
  lines, agreed, differing
from reconcile.confirmations;

create view books.confirmation_lines as
select entity_id, confirmation_id, line, account, currency, stated, booked, difference, status
from reconcile.confirmation_lines;
