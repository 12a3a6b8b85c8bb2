-- Closing balances and breaks as of a cut-off.
-- For: the close; reports of a period.
--   psql -f sql/views/25-closing-balances.sql

-- Of the chosen entities alone; '' means all.
create function books_internal.closing_balances_of(cutoff timestamptz, chosen text)
returns table (entity_id text, account text, currency text, booked numeric, read_at timestamptz, reported numeric,
  moved_after numeric, records_after bigint, rolled_back numeric, difference numeric, status text, diverged_later numeric)
language sql stable parallel safe as $$
  with late as ( -- took effect before the cut-off and is posted after it, as in the trial balance
    select p.entity_id, p.account, p.currency, -p.amount as balance
    from books.postings p
    where p.is_late and p.original_period is not null and p.effective_at < cutoff and p.posted_at >= cutoff
      and books_internal.is_chosen(p.entity_id, chosen)
  ), balance as (
    select b.entity_id, books_internal.tied_account(b.account) as account,
      b.currency, sum(b.balance) as booked
    from (
      select entity_id, account, currency, balance from books.balances_at(cutoff) where books_internal.is_chosen(entity_id, chosen)
      union all
      select entity_id, account, currency, balance from late
    ) b
    where b.account in ('assets:trading', 'assets:trading-bots', 'assets:earn') or b.account like 'assets:pocket:%'
      or b.account like 'assets:clearing:%'
    group by 1, 2, 3
  ), reading as (
    select t.entity_id, t.account, t.currency, t.as_of as read_at, r.run_number, t.reported, t.difference as found,
      t.status in ('tied', 'break') as is_settled
    from books.tie_outs t
    join books.runs r using (run_id)
    where t.as_of >= cutoff and t.reported is not null and t.account not like 'assets:clearing:%'
      and books_internal.is_chosen(t.entity_id, chosen)
  ), instant as materialized ( -- when each entity was read
    select distinct r.entity_id, r.read_at, (r.read_at at time zone 'UTC')::date as day from reading r
  ), day as ( -- what each account moved on each UTC day, from that of the first reading on
    select d.entity_id, books_internal.tied_account(d.account) as account, d.currency, d.effective_day as day, sum(d.debit - d.credit) as amount
    from books_internal.daily d
    where d.effective_day >= (select min(day) from instant) and books_internal.is_chosen(d.entity_id, chosen)
    group by 1, 2, 3, 4
  ), part as ( -- and on the day of each reading before it
    select i.entity_id, i.read_at, p.account, p.currency, sum(p.amount) as amount
    from instant i
    cross join lateral (
      select books_internal.tied_account(p.account) as account, p.currency, p.amount
      from books.postings p
      where p.entity_id = i.entity_id and p.effective_at < i.read_at
        and p.entry_id >= books_internal.first_entry_id(i.day::timestamp at time zone 'UTC')
        and p.entry_id < books_internal.first_entry_id(i.read_at + interval '1 ms')
      offset 0
    ) as p
    group by 1, 2, 3, 4
  ), total as (
    select t.entity_id, books_internal.tied_account(t.account) as account, t.currency, sum(t.debit - t.credit) as units
    from books_internal.totals t
    where books_internal.is_chosen(t.entity_id, chosen)
    group by 1, 2, 3
  ), walk as ( -- readings, each after the days from its own on and before the days before it
    select r.entity_id, r.account, r.currency, i.day, 1 as side, r.read_at, r.run_number, r.reported, r.found, r.is_settled, 0 as amount,
      0 as of_day
    from reading r
    join instant i using (entity_id, read_at)
    union all
    select entity_id, account, currency, day, 0, null, null, null, null, null, amount, 0 from day
    union all
    select entity_id, account, currency, null, 2, read_at, null, null, null, null, 0, amount from part
  ), compared as ( -- standing: what the account held just before the reading, as the books know it today
    select w.*, coalesce(b.booked, 0) as booked, w.reported - earlier.standing as difference, earlier.standing - coalesce(b.booked, 0) as moved_after
    from ( -- by windows: a join of readings and days takes time that depends on its plan
      select walk.*, sum(amount) over (partition by entity_id, account, currency order by day desc, side rows unbounded preceding) as later,
        sum(of_day) over (partition by entity_id, account, currency, read_at) as before_it
      from walk
    ) as w
    left join balance b using (entity_id, account, currency)
    left join total t using (entity_id, account, currency)
    cross join lateral (select coalesce(t.units, 0) - w.later + w.before_it as standing) as earlier
    where w.side = 1
  ), judged as (
    select c.*, bool_or(c.found = c.difference) over (
      partition by c.entity_id, c.account, c.currency, c.difference
    ) as is_found
    from compared c
  ), chosen as ( -- the first that ties with today's books, so that no later one replaces it
    select distinct on (entity_id, account, currency) entity_id, account, currency, read_at, reported, moved_after, booked, difference
    from judged
    order by entity_id, account, currency, difference <> 0, difference <> 0 and not is_settled,
      case when difference = 0 or (is_settled and is_found) then run_number end, run_number desc
  ), near as materialized ( -- read within a month, so that the records since are few
    select c.entity_id, c.account, c.currency, c.read_at from chosen c where c.read_at < cutoff + interval '1 month'
  ), since as (
    select n.entity_id, n.account, n.currency, count(distinct (m.stream, m.record_id)) filter (where m.record_id is not null) as records
    from near n
    left join books_internal.postings_since_cutoff(cutoff, (select max(read_at) from near)) m
      on (m.entity_id, m.account, m.currency) = (n.entity_id, n.account, n.currency) and m.effective_at < n.read_at
        and books_internal.is_chosen(m.entity_id, chosen)
    group by 1, 2, 3
  ), read as (
    select coalesce(c.entity_id, b.entity_id) as entity_id, coalesce(c.account, b.account) as account,
      coalesce(c.currency, b.currency) as currency, coalesce(c.booked, b.booked) as booked, c.read_at, c.reported, c.moved_after,
      s.records as records_after, c.difference - later.amount as difference,
      case when c.read_at is not null then later.amount end as later
    from chosen c
    full join (select * from balance where account not like 'assets:clearing:%') b using (entity_id, account, currency)
    left join since s on (s.entity_id, s.account, s.currency) = (c.entity_id, c.account, c.currency)
    cross join lateral (
      select coalesce(max(b.difference), 0) as amount
      from books.breaks b
      where (b.entity_id, b.account, b.currency, b.difference) = (c.entity_id, c.account, c.currency, c.difference)
        and b.diverged_after >= cutoff and (b.status <> 'resolved' or b.tied_run_id is null)
    ) as later
  ), lone as (
    select n.entity_id, m.account, m.currency, sum(m.amount) as amount
    from books.entities n
    cross join lateral books_internal.lone_clearing_moves(n.entity_id) m
    where m.posted_at < cutoff and books_internal.is_chosen(n.entity_id, chosen)
    group by 1, 2, 3
  )
  select entity_id, account, currency, trim_scale(booked), read_at, trim_scale(reported), trim_scale(moved_after), records_after,
    trim_scale(reported - moved_after - later), trim_scale(difference),
    case when read_at is null then 'not read' when difference = 0 then 'tied' else 'break' end, trim_scale(later)
  from read
  union all
  select entity_id, account, currency, trim_scale(coalesce(b.booked, 0)), null, null, null, null,
    trim_scale(coalesce(b.booked, 0) - coalesce(l.amount, 0)), trim_scale(-coalesce(l.amount, 0)),
    case when coalesce(l.amount, 0) = 0 then 'tied' else 'break' end, null
  from (select * from balance where account like 'assets:clearing:%') b
  full join lone l using (entity_id, account, currency)
$$;

create function books.closing_balances(cutoff timestamptz)
returns table (entity_id text, account text, currency text, booked numeric, read_at timestamptz, reported numeric,
  moved_after numeric, records_after bigint, rolled_back numeric, difference numeric, status text, diverged_later numeric)
language sql stable parallel safe as $$
  select * from books_internal.closing_balances_of(cutoff, '')
$$;
comment on function books.closing_balances(timestamptz) is
  'What each tied account held at a cut-off: booked, and the first later reading rolled back to the cut-off. Null figures: not read; records_after also if it was read a month or more later.';

-- The breaks that are open and began by a cut-off, each with the part of its difference that had arisen by then: that of the
-- closing balance of its account if that was compared, otherwise all of it.
create function books_internal.breaks_at(cutoff timestamptz, chosen text)
returns table (entity_id text, break_id text, difference numeric) language sql stable parallel safe as $$
  select b.entity_id, b.break_id, case when c.status = 'break' then c.difference else b.difference end
  from books.breaks b
  left join books_internal.closing_balances_of(cutoff, chosen) c
    on (c.entity_id, c.account, c.currency) = (b.entity_id, b.account, b.currency) and c.status <> 'not read'
  where (b.status <> 'resolved' or b.tied_run_id is null) and books_internal.is_chosen(b.entity_id, chosen)
    and case c.status when 'break' then true when 'tied' then false else coalesce(b.diverged_after < cutoff, true) end
$$;

-- Breaks of a period: those that began by its end and are not resolved, and those resolved in the period, with difference,
-- value and age at its end, so that the row is the same on any later day; and the waiver for the month in which it ends.
-- measured_at: the period's end, or the last comparison of books and gateway if that is earlier, so that nothing in the
-- future counts as old or due, and a running period gives the same rows at any hour.
create function books_internal.breaks_within(since timestamptz, until timestamptz, chosen text)
returns table (entity_id text, break_id text, value numeric, age_days integer, severity text, due_at timestamptz, waived_by text,
  waived_for text, waived_because text, waived_at timestamptz, measured_at timestamptz, difference numeric, status text)
language sql stable parallel safe as $$
  with last as (
    select least(max(compared_at), breaks_within.until) as measured_at from books_internal.last_compared
  ), listed as materialized (
    select k.entity_id, k.break_id, k.currency, coalesce(a.difference, k.difference) as difference, k.resolved_at, k.since, k.found_at, k.status,
      k.explanation, k.assigned_to, least(k.resolved_at, breaks_within.until) as valued_at, n.currency as reporting, n.timezone
    from books.breaks k
    left join books_internal.breaks_at(breaks_within.until, breaks_within.chosen) a using (entity_id, break_id)
    left join books.entities n using (entity_id)
    where books_internal.is_chosen(k.entity_id, breaks_within.chosen) and case k.status
      when 'resolved' then k.resolved_at >= breaks_within.since and k.resolved_at < breaks_within.until
      else a.break_id is not null end
  ), newest as materialized ( -- once for all breaks of one currency and instant
    select p.entity_id, p.currency, p.valued_at, books_internal.price_of(p.entity_id, p.currency, p.reporting, p.valued_at) as price
    from (select distinct entity_id, currency, reporting, valued_at from listed) as p
  )
  select b.entity_id, b.break_id, worth.value, worth.age_days,
    (select s.severity from books_internal.severity_of(worth.value, worth.age_days) s),
    (select d.due_at from books_internal.due_at(b.found_at, worth.value) d), waived.prepared_by, waived.period, waived.reason, waived.approved_at, last.measured_at, b.difference,
    case when b.status = 'resolved' then b.status when waived.period is not null then 'waived' when b.status <> 'waived' then b.status
      when b.explanation is not null then 'explained' when b.assigned_to is not null then 'assigned' else 'open' end
  from last
  cross join listed b
  left join newest using (entity_id, currency, valued_at)
  cross join lateral (
    select trim_scale(round(abs(b.difference) * newest.price, 18)) as value,
      books_internal.days_between(b.since, least(coalesce(b.resolved_at, last.measured_at), breaks_within.until)) as age_days
    offset 0
  ) as worth
  left join lateral (
    select w.prepared_by, w.period, w.reason, w.approved_at
    from books.waivers w
    where (w.entity_id, w.break_id) = (b.entity_id, b.break_id) and w.difference is not distinct from b.difference
      and w.period = to_char((last.measured_at - interval '1 us') at time zone coalesce(b.timezone, 'UTC'), 'YYYY-MM')
    order by w.approved_at desc
    limit 1
  ) as waived on true
$$;
