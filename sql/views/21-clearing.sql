-- Clearing accounts: transfers paired across streams, and those without a counterpart.
-- For: reconciliation.
--   psql -f sql/views/21-clearing.sql

create view books.clearing_matches as
select entity_id, account, currency, amount, debit_stream, debit_record_id, debit_entry_id, debit_at, credit_stream,
  credit_record_id, credit_entry_id, credit_at, greatest(debit_at - credit_at, credit_at - debit_at) as time_apart, run_id, matched_at,
  not (books_internal.is_reversed(entity_id, debit_entry_id) or books_internal.is_reversed(entity_id, credit_entry_id)) as stands,
  grounds
from reconcile.clearing_matches;
comment on view books.clearing_matches is
  'One row per pair on a clearing account: the two views of one transfer, from two streams.';
comment on column books.clearing_matches.amount is 'Amount of the pair, in units of the currency; positive.';
comment on column books.clearing_matches.debit_stream is 'Stream of the record that debited clearing.';
comment on column books.clearing_matches.debit_record_id is 'That record.';
comment on column books.clearing_matches.debit_entry_id is 'Its entry.';
comment on column books.clearing_matches.debit_at is 'Effective date of that entry.';
comment on column books.clearing_matches.credit_stream is 'Stream of the record that credited clearing.';
comment on column books.clearing_matches.credit_record_id is 'That record.';
comment on column books.clearing_matches.credit_entry_id is 'Its entry.';
comment on column books.clearing_matches.credit_at is 'Effective date of that entry.';
comment on column books.clearing_matches.matched_at is 'When they were paired.';
comment on column books.clearing_matches.grounds is
  'Why they are one transfer: pocket (exact: the Earn movement names the pocket of the wallet row), amount and time (the movement names none), or another pocket (amount and time, although it names another one).';

-- The pairing state of each day of a clearing account, at its last reconcile.
create view books_internal.clearing_days as
select entity_id, account, currency, effective_day, debit, credit, unmatched from reconcile.clearing_days;

-- What an account summed to when its days were last paired.
create view books_internal.paired_totals as
select entity_id, account, currency, debit, credit, addresses from reconcile.paired_totals;

-- The clearing accounts that were posted to since their days were last paired.
create view books_internal.unpaired_clearing as
select t.entity_id, t.account, t.currency
from books_internal.totals t
left join books_internal.paired_totals p using (entity_id, account, currency)
where t.account like 'assets:clearing:%' and (t.debit, t.credit) is distinct from (p.debit, p.credit);

-- The days of a clearing account from one on that sum to something else than when they were last paired, and by how much: no more
-- than were posted to since, because debits and credits only grow.
create function books_internal.clearing_changes(entity text, account text, currency text, since date)
returns table (day date, debit numeric, credit numeric, new_debit numeric, new_credit numeric) language sql stable parallel safe as $$
  select s.day, s.debit, s.credit, s.debit - coalesce(k.debit, 0), s.credit - coalesce(k.credit, 0)
  from (
    select d.effective_day as day, sum(d.debit) as debit, sum(d.credit) as credit
    from books_internal.daily d
    where (d.entity_id, d.account, d.currency) = (clearing_changes.entity, clearing_changes.account, clearing_changes.currency)
      and d.effective_day >= clearing_changes.since
    group by 1
  ) as s
  left join books_internal.clearing_days k on (k.entity_id, k.account, k.currency, k.effective_day)
    = (clearing_changes.entity, clearing_changes.account, clearing_changes.currency, s.day)
  where k.unmatched is null or (k.debit, k.credit) <> (s.debit, s.credit)
$$;

-- The days of an entity on which a posting on clearing may have no counterpart: those with an unpaired posting, and those with new
-- postings since they were paired.
create function books_internal.days_to_pair(entity text) returns table (day date) language sql stable parallel safe as $$
  with grown as materialized ( -- so that the days of other accounts are not read
    select u.account, u.currency from books_internal.unpaired_clearing u where u.entity_id = entity
  )
  select k.effective_day as day from books_internal.clearing_days k where k.entity_id = entity and k.unmatched > 0
  union
  select d.day from grown g cross join lateral books_internal.clearing_changes(entity, g.account, g.currency, '-infinity') d
$$;

-- The postings on an entity's clearing accounts that are not reversed and have no counterpart, each with its own time.
create function books_internal.lone_clearing_moves(entity text)
returns table (account text, currency text, entry_id uuid, stream text, record_id text, amount numeric, effective_at timestamptz,
  posted_at timestamptz)
language sql stable parallel safe as $$
  with day as materialized (
    select d.day from books_internal.days_to_pair(entity) d
  ), move as materialized ( -- so that only these postings look up their entries, one by one
    select side.account, t.currency, t.entry_id, sum(side.amount) as amount
    from day
    join books.transfers t on t.entity_id = entity and t.entry_id >= books_internal.first_entry_id(day.day::timestamp at time zone 'UTC')
      and t.entry_id < books_internal.first_entry_id((day.day + 1)::timestamp at time zone 'UTC')
      and (t.debit like 'assets:clearing:%' or t.credit like 'assets:clearing:%') -- as their index has them
    cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount)
    where side.account like 'assets:clearing:%'
    group by 1, 2, 3
    having sum(side.amount) <> 0
  )
  select m.account, m.currency, m.entry_id, e.stream, e.record_id, trim_scale(m.amount), e.effective_at, e.posted_at
  from move m
  cross join lateral (
    select * from books.entries own where (own.entity_id, own.entry_id) = (entity, m.entry_id) and own.reverses is null offset 0
  ) as e
  where not books_internal.is_reversed(entity, m.entry_id) and not exists (
    select from books.clearing_matches k
    where (k.entity_id, k.debit_entry_id) = (entity, m.entry_id) and (k.account, k.currency) = (m.account, m.currency) and k.stands
    offset 0 -- by its key: a join would look whether each pair ever made stands
  ) and not exists (
    select from books.clearing_matches k
    where (k.entity_id, k.credit_entry_id) = (entity, m.entry_id) and (k.account, k.currency) = (m.account, m.currency) and k.stands
    offset 0
  )
$$;

-- The other sides of the pairs of an entry, standing or not.
create function books_internal.counterparts(entity text, entry uuid)
returns table (entity_id text, entry_id uuid, account text, currency text) language sql stable parallel safe as $$
  select k.entity_id, k.credit_entry_id, k.account, k.currency
  from books.clearing_matches k where (k.entity_id, k.debit_entry_id) = (entity, entry)
  union all
  select k.entity_id, k.debit_entry_id, k.account, k.currency
  from books.clearing_matches k where (k.entity_id, k.credit_entry_id) = (entity, entry)
$$;

-- What an entry, with what reversed it, had moved on each clearing account by an instant.
create function books_internal.clearing_sums(entity text, entry uuid, until timestamptz)
returns table (account text, currency text, stream text, record_id text, since timestamptz, amount numeric)
language sql stable parallel safe as $$
  select side.account, t.currency, e.stream, e.record_id, min(e.effective_at), sum(side.amount)
  from books_internal.with_reversals(entity, entry) e
  cross join lateral (
    select * from books.transfers l where (l.entity_id, l.entry_id) = (e.entity_id, e.entry_id) offset 0
  ) as t
  cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount)
  where e.posted_at < until and side.account like 'assets:clearing:%'
  group by 1, 2, 3, 4
  having sum(side.amount) <> 0
$$;

-- Entries that may have been in transit at an instant; every other one had its counterpart by then, or was reversed. They are entries
-- without a counterpart today; those reversed across the instant, or late and posted after it, with their counterparts; and pairs of
-- which one side took effect before it, the other later: within a day, found by their ids, or further apart. A reversal stands for
-- what it reverses. Costs what is unpaired, late or came after, not the pairs before.
create function books_internal.transit_at(until timestamptz, chosen text) returns table (entity_id text, entry_id uuid)
language sql stable parallel safe as $$
  with unsettled as materialized (
    select n.entity_id, m.entry_id from books.entities n cross join lateral books_internal.lone_clearing_moves(n.entity_id) m
    where books_internal.is_chosen(n.entity_id, chosen)
    union -- since it was paired, a counterpart of theirs may have been reversed
    select n.entity_id, e.entry_id
    from books.entities n
    cross join lateral books_internal.days_to_pair(n.entity_id) d
    cross join lateral books_internal.reversed_on(n.entity_id, d.day) e
    where books_internal.is_chosen(n.entity_id, chosen)
    union
    select e.entity_id, e.reverses from books.entries e
    where e.reverses is not null and greatest(e.entry_id, e.reverses) >= books_internal.first_entry_id(until)
      and books_internal.is_chosen(e.entity_id, chosen)
    union
    select e.entity_id, coalesce(e.reverses, e.entry_id) from books.entries e
    where e.is_late and e.posted_at >= until and books_internal.is_chosen(e.entity_id, chosen)
  ), astride as materialized (
    select k.entity_id, k.debit_entry_id, k.credit_entry_id
    from books.clearing_matches k
    where k.debit_entry_id >= books_internal.first_entry_id(until)
      and k.debit_entry_id < books_internal.first_entry_id(until + interval '24:00:00.001') and k.credit_at < until
      and books_internal.is_chosen(k.entity_id, chosen)
    union all
    select k.entity_id, k.debit_entry_id, k.credit_entry_id
    from books.clearing_matches k
    where k.credit_entry_id >= books_internal.first_entry_id(until)
      and k.credit_entry_id < books_internal.first_entry_id(until + interval '24:00:00.001') and k.debit_at < until
      and books_internal.is_chosen(k.entity_id, chosen)
    union all
    select k.entity_id, k.debit_entry_id, k.credit_entry_id
    from books.clearing_matches k
    where k.time_apart > interval '24:00:00' and tstzrange(least(k.debit_at, k.credit_at), greatest(k.debit_at, k.credit_at), '(]') @> until
      and books_internal.is_chosen(k.entity_id, chosen)
  )
  select entity_id, entry_id from unsettled
  union
  select p.entity_id, p.entry_id from unsettled u cross join lateral books_internal.counterparts(u.entity_id, u.entry_id) p
  union
  select entity_id, debit_entry_id from astride
  union
  select entity_id, credit_entry_id from astride
$$;
