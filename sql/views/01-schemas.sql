-- Two schemas, dropped and recreated whole by every migrate that changes them: books, the documented interface for
-- analysts, and books_internal, helpers without any promise.
-- For: ad hoc SQL, reports, outside checks. In books, columns are added, never renamed; balances are debit positive.
-- The files of this folder run in the order of their names, in one transaction. Views read tables with their owner's rights;
-- functions run with the caller's rights, so that they stay part of the query that calls them, and read views only.
--   psql -f sql/views/01-schemas.sql
drop schema if exists books cascade;
drop schema if exists books_internal cascade;
create schema books_internal;
create schema books;

