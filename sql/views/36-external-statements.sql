-- Statements of our own bank accounts and addresses on chains, their lines, and the entries that these pair with.
-- For: bank reconciliation.
--   psql -f sql/views/36-external-statements.sql

-- How many days a bank's day and ours may lie apart: what was sent on a Friday evening arrives on a Wednesday at the latest. A line
-- or an entry without its counterpart is on its way that long. A chain needs a day.
create function books_internal.external_days(kind text) returns integer language sql immutable strict parallel safe
return case kind when 'bank' then 5 else 1 end;

-- Our accounts, with the commitments to a bank account's number.
create view books_internal.external_numbers as
select entity_id, account_name, kind, currency, number_marks, address from land.external_accounts;

-- The statements that nobody withdrew. What was withdrawn is taken out by its key: the planner then expects that nearly all stands, and joins
-- thousands of lines by hash.
create view books_internal.standing_statements as
select s.entity_id, s.account_name, s.statement_number, s.starts_on, s.ends_on, s.closing, s.lines
from land.external_statements s
where not exists (
  select from land.external_withdrawals w
  where (w.entity_id, w.account_name, w.statement_number) = (s.entity_id, s.account_name, s.statement_number)
);

-- Their lines, with the commitments to what may be a reference.
create view books_internal.external_marks as
select l.entity_id, l.account_name, l.line_number, l.booked_on, l.value_on, l.happened_at, l.amount, l.hash, l.address, l.reference_marks,
  l.is_related
from land.external_lines l
where not exists (
  select from land.external_withdrawals w
  where (w.entity_id, w.account_name, w.statement_number) = (l.entity_id, l.account_name, l.statement_number)
);

-- The pairs of lines and entries; one stands while its statement is not withdrawn and its entry not reversed. What was returned stands with
-- both pairs: of the entry, and of its reversal.
create view books_internal.external_pairs as
select m.entity_id, m.account_name, m.line_number, m.entry_id, m.kind, m.account, m.currency, m.line_amount, m.entry_amount, m.fee,
  m.line_amount - m.entry_amount - m.fee as difference, m.stream, m.record_id, m.effective_at, m.effective_day, m.days_apart, m.grounds,
  m.run_id, m.matched_at, w.entity_id is null and (undone.entry_id is null and not m.is_return or exists (
    select from reconcile.external_matches other
    join books_internal.external_marks using (entity_id, account_name, line_number)
    where other.entity_id = m.entity_id and other.entry_id = coalesce(undone.entry_id, (
      select e.reverses from ledger.entries e where (e.entity_id, e.entry_id) = (m.entity_id, m.entry_id)
    ))
  )) as stands
from reconcile.external_matches m
join land.external_lines l using (entity_id, account_name, line_number)
left join land.external_withdrawals w
  on (w.entity_id, w.account_name, w.statement_number) = (l.entity_id, l.account_name, l.statement_number)
left join ledger.entries undone
  on (undone.entity_id, undone.stream, undone.record_id) = (m.entity_id, m.stream, m.record_id) and undone.reverses = m.entry_id;

-- The month from which on a reconciliation that knows a statement rests on it: of its first day, less the days that a payment may be on
-- its way, or of the first entry that one of its lines pairs with.
create view books_internal.statement_reach as
select s.entity_id, s.account_name, s.statement_number, s.at as imported_at,
  to_char(least((s.starts_on - books_internal.external_days(a.kind))::timestamp, paired.first_at at time zone coalesce(n.timezone, 'UTC')),
    'YYYY-MM') as period
from land.external_statements s
join land.external_accounts a using (entity_id, account_name)
left join books.entities n using (entity_id)
left join lateral (
  select min(p.effective_at) as first_at
  from land.external_lines l
  join books_internal.external_pairs p using (entity_id, account_name, line_number)
  where (l.entity_id, l.account_name, l.statement_number) = (s.entity_id, s.account_name, s.statement_number) and p.stands
) as paired on true;

create view books.external_accounts as
select a.entity_id, a.account_name, a.kind, a.currency, a.masked, a.address, a.network, a.by_name as added_by, a.at as added_at,
  stated.statements, stated.lines, stated.starts_on, stated.ends_on, stated.balance, withdrawn.statements as withdrawn
from land.external_accounts a
cross join lateral (
  select count(*) as statements, coalesce(sum(s.lines), 0) as lines, min(s.starts_on) as starts_on, max(s.ends_on) as ends_on,
    trim_scale((array_agg(s.closing order by s.statement_number desc))[1]) as balance
  from books_internal.standing_statements s
  where (s.entity_id, s.account_name) = (a.entity_id, a.account_name)
) as stated
cross join lateral (
  select count(*) as statements from land.external_withdrawals w
  where (w.entity_id, w.account_name) = (a.entity_id, a.account_name)
) as withdrawn;
comment on view books.external_accounts is
  'One row per account of our own outside the platform whose statements were imported: at a bank, or an address on a chain.';
comment on column books.external_accounts.account_name is 'Name given at the first import.';
comment on column books.external_accounts.kind is 'bank or chain.';
comment on column books.external_accounts.masked is 'First and last characters of the bank account''s number; null if no file named it, and for a chain.';
comment on column books.external_accounts.address is 'Address on the chain; null for a bank.';
comment on column books.external_accounts.network is 'Network of the address, as typed; null if none was named.';
comment on column books.external_accounts.added_by is 'Who imported the first statement.';
comment on column books.external_accounts.added_at is 'When the first statement was imported.';
comment on column books.external_accounts.statements is 'Number of statements imported, without withdrawn ones.';
comment on column books.external_accounts.lines is 'Number of lines of these statements.';
comment on column books.external_accounts.starts_on is 'First day of the first statement.';
comment on column books.external_accounts.ends_on is 'Last day of the last statement.';
comment on column books.external_accounts.balance is 'Closing balance of the last statement, in units; null for a chain.';
comment on column books.external_accounts.withdrawn is 'Number of statements that were withdrawn.';

create view books.external_statements as
select s.entity_id, s.account_name, s.statement_number, s.format, s.file_name, s.file_sha256, s.bank_number, s.starts_on, s.ends_on,
  trim_scale(s.opening) as opening, trim_scale(s.closing) as closing, s.lines, s.by_name as imported_by, s.at as imported_at,
  w.by_name as withdrawn_by, w.at as withdrawn_at, w.reason as withdrawal_reason,
  s.reading
from land.external_statements s
left join land.external_withdrawals w using (entity_id, account_name, statement_number);
comment on view books.external_statements is
  'One row per imported statement of a bank account or list of transactions of an address.';
comment on column books.external_statements.account_name is 'Account (books.external_accounts).';
comment on column books.external_statements.statement_number is 'Number in the order of the account, from 1.';
comment on column books.external_statements.format is 'Format of the file: camt.053, mt940, norma43, csv, chain-csv or etherscan.';
comment on column books.external_statements.file_name is 'Name of the imported file.';
comment on column books.external_statements.file_sha256 is 'SHA-256 of that file, in hex.';
comment on column books.external_statements.bank_number is 'The bank''s own number of the statement; null if the file has none.';
comment on column books.external_statements.starts_on is 'First day.';
comment on column books.external_statements.ends_on is 'Last day.';
comment on column books.external_statements.opening is 'Balance before the first line, in units; null for a chain.';
comment on column books.external_statements.closing is 'Balance after the last line, in units; null for a chain.';
comment on column books.external_statements.lines is 'Number of lines.';
comment on column books.external_statements.withdrawn_by is 'Who withdrew it, because the wrong file was imported; null if it counts.';
comment on column books.external_statements.withdrawn_at is 'When it was withdrawn; null if it counts.';
comment on column books.external_statements.withdrawal_reason is 'Why it was withdrawn; null if it counts.';
comment on column books.external_statements.reading is 'How a CSV with the bank''s own headings was read, as JSON: its columns, the order of its dates, its decimal sign, encoding and separator; null for other files.';

create view books.external_lines as
select l.entity_id, l.account_name, l.line_number, l.statement_number, l.file_line, a.kind, a.currency, l.booked_on, l.value_on,
  trim_scale(l.amount) as amount, l.hash, l.address,
  case when w.at is not null then 'withdrawn' when p.difference = 0 then 'matched' when p.entry_id is not null then 'differs' when l.amount = 0 then 'nothing moved'
    when l.is_related then 'open' else 'unrelated' end as status,
  p.grounds, p.days_apart, p.entry_id, trim_scale(p.entry_amount) as booked, trim_scale(p.fee) as fee, p.stream, p.record_id, p.effective_at
from land.external_lines l
join land.external_accounts a using (entity_id, account_name)
left join land.external_withdrawals w using (entity_id, account_name, statement_number)
left join books_internal.external_pairs p
  on (p.entity_id, p.account_name, p.line_number) = (l.entity_id, l.account_name, l.line_number) and p.stands;
comment on view books.external_lines is
  'One row per line of an imported statement, with the entry that it pairs with, without personal data.';
comment on column books.external_lines.account_name is 'Account (books.external_accounts).';
comment on column books.external_lines.line_number is 'Number in the order of the account, from 1.';
comment on column books.external_lines.statement_number is 'Statement (books.external_statements).';
comment on column books.external_lines.file_line is 'Line of the file on which it begins.';
comment on column books.external_lines.kind is 'bank or chain.';
comment on column books.external_lines.booked_on is 'Day on which the bank booked it; the UTC day of the transaction on a chain.';
comment on column books.external_lines.value_on is 'Value date.';
comment on column books.external_lines.amount is 'Amount in units of the currency; positive if it entered the account.';
comment on column books.external_lines.hash is 'Hash of the transaction on the chain, in comparable form; null for a bank.';
comment on column books.external_lines.address is 'Address on the other side on a chain, in comparable form; null if the file has none, and for a bank.';
comment on column books.external_lines.status is
  'matched, differs (one payment, two amounts), open (no entry yet), unrelated (another counterparty than those named at the import), nothing moved, or withdrawn with its statement.';
comment on column books.external_lines.grounds is 'Why line and entry are one payment: reference, amount and day, amount and order, hash, or address and amount; null without an entry.';
comment on column books.external_lines.days_apart is 'Days between the line and the entry; null without an entry.';
comment on column books.external_lines.entry_id is 'Entry that it pairs with (books.entries); null without one.';
comment on column books.external_lines.booked is 'Amount of the entry, positive if it left the platform, in units; null without one.';
comment on column books.external_lines.fee is 'Fee of the entry that the line includes and the entry books apart, in units; null without an entry.';
comment on column books.external_lines.stream is 'Stream of the record behind the entry; null without one.';
comment on column books.external_lines.record_id is 'Record behind the entry; null without one.';
comment on column books.external_lines.effective_at is 'Effective date of the entry; null without one.';
