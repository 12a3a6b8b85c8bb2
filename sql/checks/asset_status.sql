-- Asset status: a currency of the books that the platform's list of assets calls a testnet coin, or a delisted one that is held.
-- For: whoever values what is held. Severity: note.
-- What to do: a testnet coin has no value, so ask how it came into the books; sell or withdraw a delisted one while that works.
--   psql -v run=<run_id> -f sql/checks/asset_status.sql
select b.entity_id, b.currency || ' as an asset' as subject, null as account, b.currency, null::numeric as reported, b.units as booked,
  null::numeric as difference,
  case
    when a.class = 'testnet' then format('%s is a coin of a test network by the list of assets, and the books hold %s of it', b.currency, b.units)
    else format('%s was delisted%s, and the books hold %s of it', b.currency, ' on ' || (a.removed_at at time zone 'UTC')::date, b.units)
  end as reason
from (
  select entity_id, currency, trim_scale(coalesce(sum(balance) filter (where books_internal.is_holding(account)), 0)) as units
  from books.balances
  group by entity_id, currency
) as b
join books.assets a on a.symbol = b.currency
where (a.class = 'testnet' or (a.is_removed and b.units <> 0)) and exists (select from books.runs where run_id = :'run'::uuid)
order by b.entity_id, b.currency
