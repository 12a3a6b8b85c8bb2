-- The analysts' interface: schema books, dropped and recreated whole on every migrate that changes it.
-- For: ad hoc SQL, reports, outside checks. Columns are added, never renamed; balances are debit positive.
-- The files of this folder run in the order of their names, in one transaction. Views read tables with their owner's rights;
-- functions run with the caller's rights, so that they stay part of the query that calls them, and read views only.
--   psql -f sql/views/01-schemas.sql
drop schema if exists books cascade;
create schema books;
