-- Lists due: why the lists of an entity must be read in a night that has read its balances; reason is null if they may be
-- skipped. One row. They may be if all of this holds: a listener was connected without a break since before their last reading
-- began, no event came since, the balances are those of that reading, item by item, no month ended and no week passed since, and
-- that reading left nothing open.
-- For: nightly. Ties to: books.nights.
--   psql -v entity=main -v run=<run_id> -v owner=main -v timezone=UTC -v lag_hours=48 -f sql/status/lists_due.sql
with past as (
  select n.run_id, n.began_at, r.run_number
  from run.nights n
  join run.runs r using (run_id)
  where n.entity_id = :'entity' and n.lists_run_id = n.run_id
  order by r.run_number desc
  limit 1
), snapshot as (
  select distinct on (s.run_id, s.product) s.run_id = :'run'::uuid as is_present, s.product, s.request_id, s.taken_at
  from land.snapshots s
  where s.entity_id = :'entity' and (s.run_id = :'run'::uuid or s.run_id = (select run_id from past) and s.phase = 'after')
  order by s.run_id, s.product, s.request_id desc
), item as (
  select s.is_present, s.product, b.item_id, b.currency, b.balance, b.blocked, b.total
  from snapshot s
  left join land.balances b on (b.entity_id, b.request_id) = (:'entity', s.request_id)
), changed as (
  (select product, item_id, currency, balance, blocked, total from item where is_present
    except select product, item_id, currency, balance, blocked, total from item where not is_present)
  union all
  (select product, item_id, currency, balance, blocked, total from item where not is_present
    except select product, item_id, currency, balance, blocked, total from item where is_present)
), moment as (
  -- In the gateway's time, as coverage is. Six and a half days, so that nights some minutes apart still make a week.
  select min(taken_at) filter (where not is_present) as read_at, max(taken_at) filter (where is_present) as present_at,
    max(taken_at) filter (where is_present) - interval '156 hours' as week_ago,
    books_internal.local_start(date_trunc('month', max(taken_at) filter (where is_present) at time zone :'timezone'), :'timezone')
      + make_interval(hours => :'lag_hours'::integer) as month_settled_at
  from snapshot
), found as (
  select f.finding_id
  from run.findings f
  join run.runs r using (run_id)
  where f.entity_id = :'entity' and f.severity = 'finding' and r.run_number >= (select run_number from past)
), hint as (
  select max(hinted_at) as hinted_at from run.hints where entity_id = :'entity'
)
select case
  when p.run_id is null then 'not read before'
  when h.hinted_at >= p.began_at then 'an event arrived'
  when not exists (
    select from run.listening l
    where l.entity_id = :'owner' and l.connected_since <= p.began_at and l.seen_at > clock_timestamp() - interval '1 minute'
  ) then 'listen was not connected without a break'
  when exists (select from found) and exists (
    select from snapshot s group by s.product having count(*) < 2 -- a list of balances that one reading lacks shows no change
  ) then 'a run reported a finding'
  when exists (select from changed) then 'the balances changed without an event'
  when exists (
    select from run.nights n
    where n.entity_id = :'entity' and n.reason = 'the balances changed without an event'
      and n.began_at > coalesce(h.hinted_at, '-infinity')
  ) then 'an earlier change came without an event'
  when m.read_at >= m.month_settled_at is not true then 'a month has ended since'
  when m.read_at > m.week_ago is not true then 'a week has passed since'
  when exists (
    select from books.tie_outs t where (t.entity_id, t.run_id) = (:'entity', p.run_id) and t.status <> 'tied'
  ) then 'a balance did not tie'
  when exists (select from found) then 'a run reported a finding'
  when exists (select from reconcile.breaks b where b.entity_id = :'entity' and b.status <> 'resolved') then 'a break is open'
  when exists (select from books.rejects x where x.entity_id = :'entity' and x.decision is null) then 'a reject is undecided'
  when exists (
    select from ledger.outcomes o
    join books_internal.latest_records using (entity_id, stream, record_id, version)
    where o.entity_id = :'entity' and not o.final
  ) then 'a record is not final'
  when exists (select from books.coverage_gaps g where g.entity_id = :'entity')
    or exists (select from land.resume_tokens w where w.entity_id = :'entity') then 'a list was not read to its end'
  when exists (select from land.inbox i where i.entity_id = :'entity') then 'a record is not booked'
end as reason
from moment m
cross join hint h
left join past p on true;
