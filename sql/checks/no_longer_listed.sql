-- No longer listed: a pocket or wallet that was once listed, is missing from the last list, and has a booked balance.
-- One without a balance is ignored. A trading wallet is one currency of trading and bots; Earn wallets share an account, and
-- the balance of one is the sum of its own movements.
-- For: reconcile, which reports it in every run. Severity: finding.
-- What to do: ask the platform where it went, and for a statement of its balance.
--   psql -v run=<run_id> -f sql/checks/no_longer_listed.sql
with booked as (
  -- The booked balance of each wallet and pocket: few rows, however many readings there are.
  select b.entity_id, 'trading' as product, b.currency as item_id, b.currency, b.balance
  from books.balances b
  where b.account in ('assets:trading', 'assets:trading-bots')
  union all
  select b.entity_id, 'pocket', split_part(b.account, ':', 3), b.currency, b.balance
  from books.balances b
  where b.account like 'assets:pocket:%'
  union all
  select l.entity_id, 'earn', l.scope, p.currency, p.amount
  from books_internal.lists l
  join books.records r on (r.entity_id, r.stream, r.scope) = (l.entity_id, l.stream, l.scope)
  join books.postings p on (p.entity_id, p.stream, p.record_id) = (r.entity_id, r.stream, r.record_id) and p.account = 'assets:earn'
  where l.stream = 'earn-movements' and not books_internal.is_listed(l.entity_id, 'earn', l.scope)
), gone as (
  select entity_id, product, item_id, currency, sum(balance) as balance
  from booked b
  cross join lateral (select books_internal.is_listed(b.entity_id, b.product, b.item_id) offset 0) as listing (is_listed) -- once a balance
  where not is_listed
  group by 1, 2, 3, 4
), seen as (
  select g.*, (
    select max(r.taken_at) from books.readings r
    where (r.entity_id, r.product) = (g.entity_id, g.product)
      and g.item_id = case g.product when 'trading' then r.currency when 'pocket' then lower(r.item_id) else r.item_id end
  ) as last_listed_at
  from gone g
  where g.balance <> 0
)
select entity_id, case product when 'trading' then 'trading wallet ' when 'earn' then 'Earn wallet ' else 'pocket ' end || item_id as subject,
  'assets:' || product || case product when 'pocket' then ':' || item_id else '' end as account,
  case count(*) when 1 then min(currency) end as currency, null::numeric as reported,
  case count(*) when 1 then min(balance) end as booked, null::numeric as difference,
  format('was listed until %s and is no longer; its books hold %s',
    to_char(last_listed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    string_agg(trim_scale(balance) || ' ' || currency, ', ' order by currency collate "C")) as reason
from seen
where last_listed_at is not null and exists (select from books.runs where run_id = :'run'::uuid)
group by entity_id, product, item_id, last_listed_at
order by entity_id, subject
