-- Comments on the columns of books that mean the same in every view: written once, for each column without its own comment.
-- For: tieout views; the dictionary in sql/README.md. Ties to: test/database/dictionary.test.ts, which finds a missing comment.
--   psql -f sql/views/40-common-columns.sql

do $$
declare
  found record;
begin
  for found in
    select c.relname as view, a.attname as name, common.comment
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    join (values
      ('account', 'Account path, such as assets:trading; each account holds one balance per currency.'),
      ('approved_at', 'When it was approved or refused; null while it waits.'),
      ('approved_by', 'Who approved or refused it; null while it waits.'),
      ('as_of', 'Instant for which the two balances are compared.'),
      ('original_period', 'Original period (YYYY-MM): the closed month that a late entry belongs to; null for an entry in its own month.'),
      ('break_id', 'Break (books.breaks).'),
      ('created_at', 'The record''s own time; null if it cannot be read.'),
      ('currency', 'Currency or asset code, as the gateway writes it: EUR, BTC.'),
      ('description', 'What the entry is, in words; without personal data.'),
      ('difference', 'Reported minus booked, signed; in units of the currency. Null if not comparable.'),
      ('effective_at', 'When it happened. Balances use effective_at < as_of.'),
      ('entity_id', 'Entity (one set of books): main, or TIEOUT_ENTITY, for the main account; the subaccount''s user id otherwise.'),
      ('entry_id', 'Journal entry (books.entries). Ids sort by time.'),
      ('evidence_name', 'File name of the supporting document; null if none was given.'),
      ('evidence_sha256', 'SHA-256 of the supporting document, in hex; null if none was given.'),
      ('file_name', 'Name of the imported file.'),
      ('imported_at', 'When it was imported.'),
      ('imported_by', 'Who imported it.'),
      ('is_late', 'True if the entry''s own month was closed when it was booked.'),
      ('kind', 'Kind of entry: movement, trade, wallet-transaction, earn-movement, manual or reversal.'),
      ('landed_at', 'When this version was stored.'),
      ('leg', 'Number of the transfer within the entry, from 1; null if the row has no transfer.'),
      ('ordinal', 'Place in the record''s chain of entries: 1 the posting, 2 its reversal, 3 the next posting.'),
      ('outcome', 'What became of this version: booked, rejected, set aside: not-final, set aside: cancelled, set aside: zero, set aside: reference, or not yet normalized.'),
      ('period', 'Month in which it counts, YYYY-MM, in the entity''s timezone.'),
      ('posted_at', 'Posting date: effective_at, or the start of the period if the original month was already closed. Reports are cut by it.'),
      ('prepared_at', 'When it was proposed.'),
      ('prepared_by', 'Who proposed it.'),
      ('proposal_id', 'Proposal (books.proposals).'),
      ('record_id', 'Id of the record in its stream. For entries of people: the proposal.'),
      ('recorded_at', 'When it was booked: the landed_at of the version that caused the entry, or the time of a person''s action.'),
      ('request_id', 'Request to the gateway whose answer brought it; null if it came from a file.'),
      ('reverses', 'Entry that this one reverses; null if it reverses none.'),
      ('rule_version', 'Version of the booking rule that was applied; null if none was yet.'),
      ('run_id', 'Run (books.runs) that wrote this row.'),
      ('scope', 'List within the stream; for Earn the wallet id, otherwise empty.'),
      ('side', 'buy or sell of the base.'),
      ('stands', 'True while neither entry is reversed.'),
      ('status_at', 'When it took its status; null if its history does not say.'),
      ('stream', 'Stream of the record: ' || (select string_agg(stream, ', ') from books_internal.streams) || ' and the reference streams; manual for entries of people.'),
      ('symbol', 'Market, base/quote: BTC/EUR.'),
      ('taxpayer', 'Whose lots these are: entities with the same taxpayer share them.'),
      ('time_apart', 'Time between the two, never negative.'),
      ('timezone', 'IANA timezone that cuts the periods, such as Europe/Madrid.'),
      ('version', 'Version of the record: 1 as first received, one more for each change.')
    ) as common (name, comment) on common.name = a.attname
    where c.relnamespace = 'books'::regnamespace and pg_catalog.col_description(c.oid, a.attnum) is null
  loop
    execute pg_catalog.format('comment on column books.%I.%I is %L', found.view, found.name, found.comment);
  end loop;
end $$;
