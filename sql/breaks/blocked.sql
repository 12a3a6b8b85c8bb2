-- Blocked: the blocked funds of some accounts in the last two readings, and what the books have with the bots.
-- For: the causes of a break. Ties to: books.balances, for the bots.
--   psql -v entity=main -v places='{assets:trading BTC}' -f sql/breaks/blocked.sql
with reading as (
  select product, request_id, row_number() over (partition by product order by request_id desc) as nth
  from (
    select distinct on (product, run_id) product, run_id, request_id from land.snapshots
    where entity_id = :'entity' and phase = 'after' order by product, run_id, request_id desc
  ) as last
), reported as (
  select case r.product when 'pocket' then 'assets:pocket:' || lower(b.item_id) else 'assets:' || r.product end
      || ' ' || b.currency as place, r.nth, b.blocked
  from reading r
  cross join lateral ( -- by its key: two readings of all nights'
    select * from land.balances k where k.entity_id = :'entity' and k.request_id = r.request_id offset 0
  ) as b
  where r.nth <= 2
), bots as (
  select 'assets:trading ' || currency as place, balance from books.balances
  where entity_id = :'entity' and account = 'assets:trading-bots'
)
select p.place, trim_scale(coalesce(sum(t.blocked) filter (where t.nth = 1), 0))::text as blocked,
  trim_scale(coalesce(sum(t.blocked) filter (where t.nth = 2), 0))::text as blocked_before,
  trim_scale(coalesce((select b.balance from bots b where b.place = p.place), 0))::text as with_bots
from unnest(:'places'::text[]) as p (place)
left join reported t on t.place = p.place
group by p.place;
