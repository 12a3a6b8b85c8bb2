-- Export batches: what accounting packages received.
-- For: the accountant.
--   psql -f sql/views/25-batches.sql

-- What was handed out to accounting packages, batch by batch and line by line, and what was handed out again.
create view books.batches as
select b.entity_id, b.year, b.batch_number, b.package, b.period, b.currency, b.timezone, b.map_sha256, b.settings, b.entries,
  b.lines, b.by_name, b.at, (
    select count(*) from decide.batch_copies c
    where (c.entity_id, c.year, c.batch_number) = (b.entity_id, b.year, b.batch_number)
  ) as copies
from decide.batches b;

create view books.batch_lines as
select l.entity_id, l.year, l.batch_number, b.package, l.line, l.ordinal, l.entry_id, l.day, l.kind, l.stream, l.record_id,
  l.account, l.currency, l.nature, trim_scale(l.units) as units, trim_scale(l.value) as value, l.code, l.name, l.tax
from decide.batch_lines l
join decide.batches b using (entity_id, year, batch_number);
