-- Balances now, as of any instant, and as known at any instant.
-- For: analysts; the trial balance.
--   psql -f sql/views/07-balances.sql

create view books.balances as
select entity_id, account, currency, trim_scale(debit - credit) as balance
from books_internal.totals
where debit <> credit;
comment on view books.balances is
  'One row per entity, account and currency with a balance now; zeros are left out.';
comment on column books.balances.balance is 'Sum of all postings, in units of the currency; debit positive.';

-- Debits and credits of each account from its postings of the UTC day of `as_of` before that instant, found by the time in
-- their ids, if they were recorded at or before `known_at`.
create function books_internal.postings_of_day(as_of timestamptz, known_at timestamptz)
returns table (entity_id text, account text, currency text, debit numeric, credit numeric)
language sql stable parallel safe as $$
  select p.entity_id, p.account, p.currency, greatest(p.amount, 0), greatest(-p.amount, 0)
  from books.postings p
  where p.entry_id >= books_internal.first_entry_id(date_trunc('day', as_of at time zone 'UTC') at time zone 'UTC')
    and p.entry_id < books_internal.first_entry_id(as_of + interval '1 ms')
    and p.effective_at < as_of and p.recorded_at <= known_at
$$;

-- Debits and credits of each account from everything that took effect before `as_of` and was recorded at or before
-- `known_at`: whole UTC days from the summary, and the rest of the last day.
create function books_internal.totals_known_at(as_of timestamptz, known_at timestamptz)
returns table (entity_id text, account text, currency text, debit numeric, credit numeric)
language sql stable parallel safe as $$
  select part.entity_id, part.account, part.currency, sum(part.debit), sum(part.credit)
  from (
    select d.entity_id, d.account, d.currency, sum(d.debit) as debit, sum(d.credit) as credit
    from books_internal.daily d
    where d.effective_day < (as_of at time zone 'UTC')::date and d.recorded_at <= known_at
    group by d.entity_id, d.account, d.currency
    union all
    select * from books_internal.postings_of_day(as_of, known_at)
  ) as part
  group by part.entity_id, part.account, part.currency
$$;

-- As totals_known_at, from all that is known now: the totals of today less the days since, so that a recent month costs
-- what came after it and not its history. An account without a posting before `as_of` has no row.
create function books_internal.totals_at(as_of timestamptz)
returns table (entity_id text, account text, currency text, debit numeric, credit numeric)
language sql stable parallel safe as $$
  select part.entity_id, part.account, part.currency, sum(part.debit), sum(part.credit)
  from (
    select t.entity_id, t.account, t.currency, t.debit, t.credit from books_internal.totals t
    union all
    select d.entity_id, d.account, d.currency, -sum(d.debit), -sum(d.credit)
    from books_internal.daily d
    where d.effective_day >= (as_of at time zone 'UTC')::date
    group by d.entity_id, d.account, d.currency
    union all
    select * from books_internal.postings_of_day(as_of, 'infinity')
  ) as part
  group by part.entity_id, part.account, part.currency
  having sum(part.debit) <> 0 or sum(part.credit) <> 0
$$;

create function books.balances_known_at(as_of timestamptz, known_at timestamptz)
returns table (entity_id text, account text, currency text, balance numeric) language sql stable parallel safe as $$
  select t.entity_id, t.account, t.currency, trim_scale(t.debit - t.credit)
  from books_internal.totals_known_at(as_of, known_at) t
  where t.debit <> t.credit
$$;
comment on function books.balances_known_at(timestamptz, timestamptz) is
  'Balances before as_of as they were known at another instant: only what was recorded at or before known_at.';

create function books.balances_at(as_of timestamptz)
returns table (entity_id text, account text, currency text, balance numeric) language sql stable parallel safe as $$
  select t.entity_id, t.account, t.currency, trim_scale(t.debit - t.credit)
  from books_internal.totals_at(as_of) t
  where t.debit <> t.credit
$$;
comment on function books.balances_at(timestamptz) is
  'Balances of everything with effective_at before an instant; the columns of books.balances.';

-- Debits and credits of each account by posting date before an instant: as totals_known_at, without entries that were too
-- late for their own closed month and are posted later, also where the month was reopened and they were undone. `by`: posted_at; or a
-- month of an entity, as if that month were not closed.
create function books_internal.totals_counted(as_of timestamptz, by text)
returns table (entity_id text, account text, currency text, debit numeric, credit numeric)
language sql stable parallel safe as $$
  select part.entity_id, part.account, part.currency, sum(part.debit), sum(part.credit)
  from (
    select t.entity_id, t.account, t.currency, t.debit, t.credit from books_internal.totals_at(as_of) t
    union all
    select p.entity_id, p.account, p.currency, -greatest(p.amount, 0), -greatest(-p.amount, 0)
    from books.postings p
    where p.is_late and not books_internal.is_restated(p.entity_id, p.original_period, by) and p.effective_at < as_of and p.posted_at >= as_of
  ) as part
  group by part.entity_id, part.account, part.currency
$$;

-- As totals_counted, for a period that begins at `since`: income and expenses of fiscal years before that of `since` are
-- on equity:retained-earnings, which no entry posts to.
create function books_internal.totals_carried(as_of timestamptz, since timestamptz, by text)
returns table (entity_id text, account text, currency text, debit numeric, credit numeric)
language sql stable parallel safe as $$
  select part.entity_id, part.account, part.currency, sum(part.debit), sum(part.credit)
  from (
    select t.entity_id, t.account, t.currency, t.debit, t.credit from books_internal.totals_counted(as_of, by) t
    union all
    select t.entity_id, side.account, t.currency, side.sign * t.debit, side.sign * t.credit
    from (select distinct books_internal.fiscal_year_start(since, n.timezone, n.fiscal_year_start) as starts_at from books.entities n) as year
    cross join lateral books_internal.totals_counted(year.starts_at, by) t
    join books.entities n on n.entity_id = t.entity_id and books_internal.fiscal_year_start(since, n.timezone, n.fiscal_year_start) = year.starts_at
    cross join lateral (values (t.account, -1), ('equity:retained-earnings', 1)) as side (account, sign)
    where books_internal.is_of_year(t.account)
  ) as part
  group by part.entity_id, part.account, part.currency
$$;
