-- Assets due: whether to read the list of assets: it was never read, not since `weekly`, or lacks a currency of the books.
-- For: extract, once for all entities. Ties to: books.assets.
--   psql -v weekly=2026-11-15T00:00:00Z -f sql/references/assets_due.sql
select coalesce((select max(sent_at) from land.requests where stream = 'assets') < :'weekly'::timestamptz, true)
  or exists (select from books.balances b where not exists (select from books.assets a where a.symbol = b.currency)) as due;
