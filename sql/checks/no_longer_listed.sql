-- No longer listed: a pocket or wallet that was in a list once, is not in the last one, and of which the books hold something.
-- With nothing left in it, it is nobody's business. A trading wallet is one currency of trading and bots; Earn wallets share
-- an account, and what is in one is what its own movements left there.
-- For: reconcile, which says it in every run. Severity: finding.
-- What to do: ask the platform where it went, and for a statement of what was in it.
--   psql -v run=<run_id> -f sql/checks/no_longer_listed.sql
with latest as (
  select entity_id, product, max(request_id) as request_id from books.readings group by entity_id, product
), item as (
  select r.entity_id, r.product,
    case r.product when 'trading' then r.currency when 'pocket' then lower(r.item_id) else r.item_id end as item_id,
    max(r.taken_at) as last_listed_at, max(r.request_id) as request_id
  from books.readings r
  where r.item_id is not null
  group by 1, 2, 3
), gone as (
  select i.entity_id, i.product, i.item_id, i.last_listed_at
  from item i join latest l using (entity_id, product)
  where i.request_id < l.request_id
), held as (
  select g.entity_id, g.product, g.item_id, g.last_listed_at, b.currency, sum(b.balance) as balance
  from gone g
  join books.balances b on b.entity_id = g.entity_id and case g.product
    when 'pocket' then b.account = 'assets:pocket:' || g.item_id
    when 'trading' then b.account in ('assets:trading', 'assets:trading-bots') and b.currency = g.item_id
    else false end
  group by 1, 2, 3, 4, 5
  union all
  select g.entity_id, g.product, g.item_id, g.last_listed_at, p.currency, sum(p.amount)
  from gone g
  join books.records r on (r.entity_id, r.stream, r.scope) = (g.entity_id, 'earn-movements', g.item_id)
  join books.postings p on (p.entity_id, p.stream, p.record_id) = (r.entity_id, r.stream, r.record_id) and p.account = 'assets:earn'
  where g.product = 'earn'
  group by 1, 2, 3, 4, 5
)
select entity_id, case product when 'trading' then 'trading wallet ' when 'earn' then 'Earn wallet ' else 'pocket ' end || item_id as subject,
  'assets:' || product || case product when 'pocket' then ':' || item_id else '' end as account,
  case count(*) when 1 then min(currency) end as currency, null::numeric as reported,
  case count(*) when 1 then min(balance) end as booked, null::numeric as difference,
  format('was listed until %s and is no longer; its books hold %s',
    to_char(last_listed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    string_agg(trim_scale(balance) || ' ' || currency, ', ' order by currency collate "C")) as reason
from held
where balance <> 0 and exists (select from books.runs where run_id = :'run'::uuid)
group by entity_id, product, item_id, last_listed_at
order by entity_id, subject
