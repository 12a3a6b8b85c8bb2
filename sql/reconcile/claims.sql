-- Claims: every account of an entity that is reported or booked, with the facts that its tie-out needs, as of the last run
-- that read its balances and lists. No rows if no balance was ever read.
-- For: reconcile, which judges each row. Ties to: books.tie_outs, reported and booked.
--   psql -v entity=main -f sql/reconcile/claims.sql
with reading as (
  select s.run_id from land.snapshots s
  where s.entity_id = :'entity' and not exists (
    select from run.nights n where (n.entity_id, n.run_id) = (s.entity_id, s.run_id) and n.lists_run_id <> n.run_id
  )
  order by s.request_id desc limit 1
), snapshot as (
  select distinct on (product, phase) product, phase, request_id, taken_at
  from land.snapshots
  where entity_id = :'entity' and run_id = (select run_id from reading)
  order by product, phase, request_id desc
), product as (
  select p.product, b.taken_at as bracket_from, a.taken_at as as_of, b.request_id as before_id, a.request_id as after_id,
    (
      select coalesce(bool_and(coalesce(c.covered @> tstzrange('-infinity', b.taken_at - interval '5 s'), false)), true)
      from (
        select s.stream, coalesce(item.item_id, '') as scope
        from books_internal.streams s
        left join land.balances item on s.is_per_item and (item.entity_id, item.request_id) = (:'entity', a.request_id)
        where s.product = p.product and (item.item_id is not null or not s.is_per_item)
      ) as needed
      left join land.coverage c on (c.entity_id, c.stream, c.scope) = (:'entity', needed.stream, needed.scope)
    ) as is_covered
  from (select distinct product from books_internal.streams) as p
  left join snapshot a on a.product = p.product and a.phase = 'after'
  left join snapshot b on b.product = p.product and b.phase = 'before'
), reported as (
  select p.product, b.request_id = p.before_id as is_before,
    case p.product when 'pocket' then 'assets:pocket:' || lower(b.item_id) else 'assets:' || p.product end as account,
    b.currency, case when count(*) = count(b.total) then sum(b.total) end as total
  from product p
  join land.balances b on b.entity_id = :'entity' and b.request_id in (p.before_id, p.after_id)
  group by 1, 2, 3, 4
), posting as (
  -- The whole from the totals; the bracket's part from the legs, found by the time that begins an entry's id.
  select account, currency, debit - credit as amount, 0 as in_bracket from ledger.totals where entity_id = :'entity'
  union all
  select side.account, t.currency, 0, side.amount
  from ledger.transfers t
  cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount)
  where t.entity_id = :'entity' and t.entry_id >= (select books_internal.first_entry_id(min(bracket_from)) from product)
    and t.entry_id <= 'ffffffff-ffff-ffff-ffff-ffffffffffff' -- with one bound the planner expects a third of all legs, and reads them all
), booked as (
  select books_internal.tied_account(account) as account, currency,
    sum(amount) as booked, sum(in_bracket) as in_bracket
  from posting
  where account in ('assets:trading', 'assets:trading-bots', 'assets:earn')
    or account like 'assets:pocket:%' or account like 'assets:clearing:%'
  group by 1, 2
), compared as (
  select account, currency from booked where booked <> 0
  union
  select account, currency from reported
  union
  select account, currency from reconcile.breaks
  where entity_id = :'entity' and tied_run_id is null and account is not null and currency is not null
)
select c.account, c.currency, trim_scale(coalesce(k.booked, 0)) as booked, trim_scale(coalesce(k.in_bracket, 0)) as in_bracket,
  trim_scale(case when c.account like 'assets:clearing:%' then 0 when b.account is not null then b.total when p.before_id is not null then 0 end) as before,
  trim_scale(case when c.account like 'assets:clearing:%' then 0 when a.account is not null then a.total when p.after_id is not null then 0 end) as reported,
  case when c.account like 'assets:clearing:%' then (
    select bool_and(q.is_covered) from product q where q.product in ('pocket', split_part(c.account, ':', 3))
  ) else p.is_covered end as is_covered,
  coalesce(p.as_of, (select max(taken_at) from snapshot)) as as_of,
  coalesce(( -- by a run before the one that read: to compare a reading again is no second night
    select t.status = 'in-flight'
    from reconcile.tie_outs t
    join run.runs r using (run_id)
    where t.entity_id = :'entity' and t.account = c.account and t.currency = c.currency
      and r.run_number < (select n.run_number from reading join run.runs n using (run_id))
    order by t.position desc limit 1
  ), false) as was_in_flight
from compared c
left join booked k using (account, currency)
left join product p on p.product = case when c.account like 'assets:pocket:%' then 'pocket' else split_part(c.account, ':', 2) end
left join reported a on (a.account, a.currency) = (c.account, c.currency) and not a.is_before
left join reported b on (b.account, b.currency) = (c.account, c.currency) and b.is_before
where exists (select from snapshot)
order by c.account collate "C", c.currency collate "C";
