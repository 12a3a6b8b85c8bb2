-- Asset below zero: an asset account with a negative balance at the end of a day (UTC), bots together with the trading wallet,
-- clearing excepted. Unusual, but not a break: funds from before the history that was read are one cause of it.
-- For: the analyst who looks for what was never booked. Severity: note.
-- What to do: look at the first such day; an opening balance (tieout open) or a record of an earlier day may be missing.
--   psql -v run=<run_id> -f sql/checks/asset_below_zero.sql
select entity_id, account || ' ' || currency as subject, account, currency, null::numeric as reported, lowest as booked,
  null::numeric as difference,
  format('%s below zero at the end of %s on which it moved, first on %s; the lowest is %s on %s', account,
    case days_below when 1 then 'one day' else days_below || ' days' end, first_below, trim_scale(lowest), lowest_on) as reason
from books_internal.asset_lows
where days_below > 0 and exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, account, currency
