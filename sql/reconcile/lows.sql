-- Lows: the days of asset accounts that lie a month or more before the last one, in short, once another month of them has passed.
-- For: reconcile, which stores them after the checks, so that the next nights read only what follows.
-- Ties to: books_internal.asset_lows, which needs none of it.
--   psql -v entities='{main}' -f sql/reconcile/lows.sql
select *
from books_internal.lows_in_short(true)
where entity_id = any (:'entities'::text[]);
