-- Journal postings: every posting from the beginning to an instant, in order of time. The last posting of an account in a day
-- has the balance of the account after it; days are cut in a timezone.
-- last_run: the number of the last run whose entries count; all if it is empty.
-- For: plain-text journals. Ties to: books.balances_at(to), which is the last balance of each account and currency.
--   psql -v to=2026-11-01T00:00:00Z -v entity= -v timezone=Europe/Madrid -v last_run= -f sql/journals/postings.sql
with posting as (
  select entity_id, entry_id, effective_at, leg, account, currency, amount,
    (effective_at at time zone :'timezone')::date as day
  from books.postings
  where effective_at < :'to'::timestamptz
    and books_internal.is_chosen(entity_id, :'entity')
    and (:'last_run' = '' or entry_number <= (select books_internal.last_entry_by(nullif(:'last_run', '')::bigint)))
), running as (
  select posting.*, sum(amount) over (held rows unbounded preceding) as balance, lead(day) over held as again
  from posting
  window held as (
    partition by entity_id, account, currency order by day, effective_at, entry_id, leg, amount desc
  )
)
select r.day::text as day, (r.day + 1)::text as next_day, r.entity_id, r.entry_id, r.effective_at, e.kind, e.stream,
  e.record_id, e.version, e.reverses, e.description, r.account, r.currency, trim_scale(r.amount) as amount,
  case when r.again is distinct from r.day then trim_scale(r.balance) end as balance
from running r
join books.entries e using (entity_id, entry_id)
where books_internal.is_chosen(e.entity_id, :'entity')
order by r.day, r.effective_at, r.entry_id, r.entity_id collate "C", r.leg, r.amount desc;
