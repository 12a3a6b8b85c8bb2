-- Comparisons of reported and booked balances, and when a difference began.
-- For: reconciliation.
--   psql -f sql/views/17-tie-outs.sql

create view books.tie_outs as
select run_id, entity_id, account, currency, as_of, reported, booked, difference, status, reason
from reconcile.tie_outs t
where not exists (
  select from reconcile.tie_outs later
  where (later.entity_id, later.run_id) = (t.entity_id, t.run_id) and later.reading > t.reading
);
comment on view books.tie_outs is
  'One row per run, account and currency: the reported balance compared with the booked one, tied ones included.';
comment on column books.tie_outs.reported is 'Balance that the gateway reported, blocked included, in units of the currency; null if it reported none. 0 for clearing accounts.';
comment on column books.tie_outs.booked is 'Balance of the ledger, in units of the currency; debit positive.';
comment on column books.tie_outs.status is 'tied, break, in-flight, pending, in-transit or uncovered.';
comment on column books.tie_outs.reason is 'Why it is not tied, in words; null if tied.';

create view books.newest_tie_outs as
select entity_id, account, currency, as_of, reported, booked, difference, status, reason, run_id
from (
  select t.*, row_number() over (
    partition by t.entity_id, t.account, t.currency order by r.run_number desc
  ) as newest
  from books.tie_outs t
  join run.runs r using (run_id)
) as tie_out
where newest = 1;
comment on view books.newest_tie_outs is
  'One row per account and currency: its newest comparison.';
comment on column books.newest_tie_outs.reported is 'Balance that the gateway reported, blocked included, in units of the currency; null if it reported none. 0 for clearing accounts.';
comment on column books.newest_tie_outs.booked is 'Balance of the ledger, in units of the currency; debit positive.';
comment on column books.newest_tie_outs.status is 'tied, break, in-flight, pending, in-transit or uncovered.';
comment on column books.newest_tie_outs.reason is 'Why it is not tied, in words; null if tied.';

-- The newest comparison of each account, of all runs or of those up to one, by its number.
create function books_internal.tie_outs_by(last_run bigint)
returns table (entity_id text, account text, currency text, as_of timestamptz, reported numeric, booked numeric, difference numeric, status text,
  reason text)
language sql stable parallel safe as $$
  select distinct on (t.entity_id, t.account, t.currency) t.entity_id, t.account, t.currency, t.as_of, t.reported, t.booked, t.difference, t.status,
    t.reason
  from books.tie_outs t
  join books.runs r using (run_id)
  where tie_outs_by.last_run is null or r.run_number <= tie_outs_by.last_run
  order by t.entity_id, t.account, t.currency, r.run_number desc
$$;

-- The last comparison of each entity's books with the gateway: the start of that run.
create view books_internal.last_compared as
select n.entity_id, r.run_id, r.started_at as compared_at
from run.entities n
cross join lateral (
  select r.run_id, r.started_at from run.runs r
  where exists (select from reconcile.tie_outs t where (t.entity_id, t.run_id) = (n.entity_id, r.run_id))
  order by r.run_number desc limit 1
) as r;

-- For each account the last reading that tied (null: none), in the order of runs, with the number of the last entry that its run
-- had booked, the first later reading with a difference (null: none), and the most decimals of a reported balance. A comparison without a result does not count as a
-- reading.
create view books_internal.last_ties as
select k.entity_id, k.account, k.currency, k.tied_at, k.broke_at, k.first_difference, k.decimals,
  (select r.entries_to from books.runs r where r.run_number = k.tied_run) as tied_to
from (
  select entity_id, account, currency, max(as_of) filter (where nth = last_tied) as tied_at,
    max(run_number) filter (where nth = last_tied) as tied_run, max(as_of) filter (where nth = last_tied + 1) as broke_at,
    max(difference) filter (where nth = last_tied + 1) as first_difference, max(scale(trim_scale(reported))) as decimals
  from (
    select *, coalesce(max(nth) filter (where status = 'tied') over (partition by entity_id, account, currency), 0) as last_tied
    from (
      select t.entity_id, t.account, t.currency, t.as_of, t.reported, t.difference, t.status, r.run_number,
        row_number() over (partition by t.entity_id, t.account, t.currency order by r.run_number) as nth
      from books.tie_outs t
      join run.runs r using (run_id)
      where t.difference is not null and t.status <> 'uncovered'
    ) as reading
  ) as counted
  group by entity_id, account, currency
) as k;

create view books.first_divergence as
select k.entity_id, k.account, k.currency, k.tied_at, k.broke_at, k.first_difference,
  (
    select count(distinct (i.stream, i.record_id))
    from books_internal.account_postings(k.entity_id, k.account, k.currency, k.tied_at, k.broke_at) i
  ) as records_inside,
  array(
    select i.stream || ' ' || i.record_id
    from books_internal.account_postings(k.entity_id, k.account, k.currency, k.tied_at, k.broke_at) i
    group by i.stream, i.record_id order by max(i.effective_at) desc, 1 limit 100
  ) as record_names
from books_internal.last_ties k
where k.broke_at is not null;
comment on view books.first_divergence is
  'One row per account that did not tie when last compared: where books and gateway diverged.';
comment on column books.first_divergence.tied_at is 'Last reading that tied; null if none ever did.';
comment on column books.first_divergence.broke_at is 'First reading after it with a difference.';
comment on column books.first_divergence.first_difference is 'Reported minus booked at broke_at, in units of the currency.';
comment on column books.first_divergence.records_inside is 'Number of records booked for the account between the two.';
comment on column books.first_divergence.record_names is 'The newest 100 of them: stream and record id.';

-- What each asset account had been debited and credited by the end of each day (UTC) on which it moved, after the day up to which its
-- lows are settled, with those lows; clearing excepted. From its first day if something was posted up to the settled one since. A
-- null day if there is none.
create view books_internal.asset_days as
select place.entity_id, place.account, place.currency, low.through_day, low.days_below, low.first_below, low.lowest, low.lowest_on,
  d.effective_day, coalesce(low.debit, 0) + sum(d.debit) over so_far as debit, coalesce(low.credit, 0) + sum(d.credit) over so_far as credit
from (
  select entity_id, books_internal.tied_account(account) as account, currency, sum(debit) as debit, sum(credit) as credit
  from books_internal.totals
  where account like 'assets:%' and account not like 'assets:clearing:%'
  group by 1, 2, 3
) as place
left join lateral (
  select k.* from reconcile.lows k
  where (k.entity_id, k.account, k.currency) = (place.entity_id, place.account, place.currency) and (k.debit, k.credit) = (
    select place.debit - coalesce(sum(r.debit), 0), place.credit - coalesce(sum(r.credit), 0)
    from books_internal.daily r
    where r.entity_id = place.entity_id and r.account = any (books_internal.accounts_tied_as(place.account)) and r.currency = place.currency
      and r.effective_day > k.through_day
  )
) as low on true
left join lateral (
  select r.effective_day, sum(r.debit) as debit, sum(r.credit) as credit
  from books_internal.daily r
  where r.entity_id = place.entity_id and r.account = any (books_internal.accounts_tied_as(place.account)) and r.currency = place.currency
    and r.effective_day > coalesce(low.through_day, '-infinity')
  group by 1
) as d on true
window so_far as (partition by place.entity_id, place.account, place.currency order by d.effective_day);

-- The days of each asset account below zero, in short: those up to the settled day, and those after it. Or, of accounts of which another
-- month has passed since, only those to settle next: up to a month before the last day.
create function books_internal.lows_in_short(only_settling boolean)
returns table (entity_id text, account text, currency text, through_day date, debit numeric, credit numeric, days_below bigint,
  first_below date, lowest numeric, lowest_on date)
language sql stable parallel safe as $$
  select entity_id, account, currency, max(effective_day), max(debit), max(credit),
    coalesce(max(days_below), 0) + count(*) filter (where balance < 0),
    least(min(first_below), min(effective_day) filter (where balance < 0)),
    least(min(lowest), min(balance) filter (where balance < 0)),
    case
      when min(lowest) <= coalesce(min(balance) filter (where balance < 0), min(lowest)) then min(lowest_on)
      else (array_agg(effective_day order by balance, effective_day) filter (where balance < 0))[1]
    end
  from (
    select *, debit - credit as balance, max(effective_day) over (partition by entity_id, account, currency) - 31 as until
    from books_internal.asset_days
  ) as day
  where not only_settling or (effective_day <= until and (through_day is null or until > through_day + 31))
  group by entity_id, account, currency
$$;

-- All of those days.
create view books_internal.asset_lows as
select entity_id, account, currency, days_below, first_below, lowest, lowest_on from books_internal.lows_in_short(false);
