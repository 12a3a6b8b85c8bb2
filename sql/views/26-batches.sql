-- Export batches: what accounting packages received.
-- For: the accountant.
--   psql -f sql/views/26-batches.sql

create view books.batches as
select b.entity_id, b.year, b.batch_number, b.package, b.period, b.currency, b.timezone, b.map_sha256, b.settings, b.summary,
  b.entries, b.lines, b.by_name as exported_by, b.at as exported_at, (
    select count(*) from decide.batch_copies c
    where (c.entity_id, c.year, c.batch_number) = (b.entity_id, b.year, b.batch_number)
  ) as copies, b.facts
from decide.batches b;
comment on view books.batches is
  'One row per export batch: the entries that one accounting package received, each once.';
comment on column books.batches.year is 'Year that numbers the batch.';
comment on column books.batches.batch_number is 'Number of the batch within entity and year, from 1.';
comment on column books.batches.package is 'Accounting package: xero, quickbooks, datev or holded.';
comment on column books.batches.period is 'Month or range exported.';
comment on column books.batches.currency is 'Reporting currency of the batch.';
comment on column books.batches.map_sha256 is 'SHA-256 of the account map used, in hex.';
comment on column books.batches.settings is 'Settings of the export, as JSON.';
comment on column books.batches.summary is
  'Stretch of time whose entries are one journal: day, week or month; empty if each entry is a journal of its own.';
comment on column books.batches.entries is 'Number of entries.';
comment on column books.batches.lines is 'Number of lines.';
comment on column books.batches.exported_by is 'Who exported it.';
comment on column books.batches.exported_at is 'When it was exported.';
comment on column books.batches.copies is 'Number of re-exports.';
comment on column books.batches.facts is
  'What its manifest says of the books at the time of the export, as JSON: control totals, conservation, configuration.';

create view books.batch_lines as
select l.entity_id, l.year, l.batch_number, b.package, l.line, l.ordinal, l.entry_id, l.day, l.kind, l.stream, l.record_id,
  l.account, l.currency, l.counterparty_type, trim_scale(l.units) as units, trim_scale(l.value) as value, l.code, l.name, l.tax,
  l.dimension1, l.dimension2
from decide.batch_lines l
join decide.batches b using (entity_id, year, batch_number);
comment on view books.batch_lines is
  'One row per line of an export batch.';
comment on column books.batch_lines.year is 'Year that numbers the batch.';
comment on column books.batch_lines.batch_number is 'Number of the batch within entity and year.';
comment on column books.batch_lines.package is 'Accounting package.';
comment on column books.batch_lines.line is 'Number of the line within the batch.';
comment on column books.batch_lines.kind is 'new, or correction for a reversal or a repost.';
comment on column books.batch_lines.ordinal is 'Place of the line''s entry within the batch.';
comment on column books.batch_lines.day is 'Posting day of the line.';
comment on column books.batch_lines.counterparty_type is 'Counterparty type of an external line; empty otherwise.';
comment on column books.batch_lines.units is 'Units of the currency, debit positive; 0 for a line that only value has.';
comment on column books.batch_lines.value is 'Value in the batch''s currency, to the cent, debit positive.';
comment on column books.batch_lines.code is 'Account code in the package.';
comment on column books.batch_lines.name is 'Account name in the package.';
comment on column books.batch_lines.tax is 'Tax code in the package; empty if none.';
comment on column books.batch_lines.dimension1 is 'First dimension in the package: tracking, cost centre, class or tag; empty if none.';
comment on column books.batch_lines.dimension2 is 'Second dimension in the package; empty if none.';
