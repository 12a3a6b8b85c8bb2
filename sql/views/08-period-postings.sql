-- The postings of a period or since a cut-off, with the account across.
-- For: the reports of a period.
--   psql -f sql/views/08-period-postings.sql

-- The entries on time with a posting date in [since, until), found by the time in their ids, so that a month costs a month.
-- counted_at: that posting date.
create function books_internal.on_time_within(since timestamptz, until timestamptz)
returns table (entity_id text, entry_id uuid, effective_at timestamptz, counted_at timestamptz, period text, original_period text, kind text,
  stream text, record_id text, version integer, reverses uuid, description text, recorded_at timestamptz)
language sql stable parallel safe as $$
  select own.entity_id, own.entry_id, own.effective_at, own.effective_at, own.period, null, own.kind, own.stream, own.record_id,
    own.version, own.reverses, own.description, own.recorded_at
  from books_internal.entries_on_time own
  where own.entry_id >= books_internal.first_entry_id(since) and own.entry_id < books_internal.first_entry_id(until + interval '1 ms')
    and case -- one condition, because the planner would take each for a further choice among the ids
      when own.effective_at < since or own.effective_at >= until then false
      else true
    end
$$;

-- The late entries with a posting date in [since, until), found by their index.
create function books_internal.late_within(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, effective_at timestamptz, counted_at timestamptz, period text, original_period text, kind text,
  stream text, record_id text, version integer, reverses uuid, description text, recorded_at timestamptz)
language sql stable parallel safe as $$
  select late.entity_id, late.entry_id, late.effective_at,
    books_internal.posting_date(late.entity_id, late.original_period, by, late.effective_at, late.posted_at), late.period, late.original_period, late.kind,
    late.stream, late.record_id, late.version, late.reverses, late.description, late.recorded_at
  from books.entries late
  where late.is_late and case
      when late.effective_at >= until then false
      when late.effective_at >= since then late.posted_at < until or books_internal.is_restated(late.entity_id, late.original_period, by)
      else late.posted_at >= since and late.posted_at < until and not books_internal.is_restated(late.entity_id, late.original_period, by)
    end
$$;

-- The entries with a posting date in [since, until), on time or late.
create function books_internal.entries_within(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, effective_at timestamptz, counted_at timestamptz, period text, original_period text, kind text,
  stream text, record_id text, version integer, reverses uuid, description text, recorded_at timestamptz)
language sql stable parallel safe as $$
  select own.* from books_internal.on_time_within(since, until) own
  union all
  select late.* from books_internal.late_within(since, until, by) late
$$;

-- How many entries of each entity have a posting date in the fiscal year of an instant, but before that instant. Those on time are
-- counted in the index of their ids, which begin with their time to the millisecond; only the first and the last of those need a look at
-- the entry. Late ones, which are few, are counted by their posting dates instead.
create function books_internal.entries_before(instant timestamptz, chosen text)
returns table (entity_id text, timezone text, first_month integer, first_day timestamp, entries bigint)
language sql stable parallel safe as $$
  select n.entity_id, n.timezone, n.fiscal_year_start, year.first_day, (
      select count(*) from books.entries e
      where e.entity_id = n.entity_id and e.entry_id >= id.after_first and e.entry_id < id.last
    ) - (
      select count(*) from books.entries late
      where late.entity_id = n.entity_id and late.is_late and late.entry_id >= id.after_first and late.entry_id < id.last
    ) + (
      select count(*) from books_internal.entries_on_time e
      where e.entity_id = n.entity_id and e.effective_at >= year.starts_at and e.effective_at < instant and (
        e.entry_id >= id.first and e.entry_id < id.after_first or e.entry_id >= id.last and e.entry_id < id.after_last
      )
    ) + (
      select count(*) from books_internal.late_within(year.starts_at, instant, 'posted_at') late where late.entity_id = n.entity_id
    )
  from books.entities n
  cross join lateral (
    select books_internal.fiscal_year_day(instant, n.timezone, n.fiscal_year_start) as first_day,
      books_internal.fiscal_year_start(instant, n.timezone, n.fiscal_year_start) as starts_at
  ) as year
  cross join lateral (
    select books_internal.first_entry_id(year.starts_at) as first,
      books_internal.first_entry_id(year.starts_at + interval '1 ms') as after_first,
      books_internal.first_entry_id(instant) as last, books_internal.first_entry_id(instant + interval '1 ms') as after_last
  ) as id
  where books_internal.is_chosen(n.entity_id, chosen)
$$;

-- The journal number of each entry with a posting date in [since, until): 1, 2, 3 … per entity and fiscal year, in order of posting
-- date, without gaps. A late entry and a reversal have the numbers of their own posting dates. An entry never gets a posting date in a
-- closed month, so the numbers of closed months stay; in an open month an entry that arrives later moves those after it.
create function books_internal.entry_numbers(since timestamptz, until timestamptz, chosen text)
returns table (entity_id text, entry_id uuid, fiscal_year date, number bigint) language sql stable parallel safe as $$
  with before as materialized ( -- counted once, not for each entry
    select * from books_internal.entries_before(since, chosen)
  )
  select e.entity_id, e.entry_id, year.first_day::date,
    row_number() over (partition by e.entity_id, year.first_day order by e.counted_at, e.effective_at, e.entry_id)
      + case when year.first_day = n.first_day then n.entries else 0 end
  from books_internal.entries_within(since, until, 'posted_at') e
  join before n using (entity_id)
  cross join lateral (
    select books_internal.fiscal_year_day(e.counted_at, n.timezone, n.first_month) as first_day
  ) as year
  where books_internal.is_chosen(e.entity_id, chosen)
$$;

-- The legs of entries on time, found by the time in their ids as the entries are: one range, not a search per entry.
create function books_internal.legs_on_time(since timestamptz, until timestamptz)
returns table (entity_id text, entry_id uuid, leg smallint, debit text, credit text, currency text, amount numeric, effective_at timestamptz,
  counted_at timestamptz, period text, original_period text, kind text, stream text, record_id text, version integer, reverses uuid, description text)
language sql stable parallel safe as $$
  select own.entity_id, own.entry_id, t.leg, t.debit, t.credit, t.currency, t.amount, own.effective_at, own.counted_at, own.period,
    own.original_period, own.kind, own.stream, own.record_id, own.version, own.reverses, own.description
  from books_internal.on_time_within(since, until) own
  join books.transfers t using (entity_id, entry_id)
  where t.entry_id >= books_internal.first_entry_id(since) and t.entry_id < books_internal.first_entry_id(until + interval '1 ms')
$$;

-- The legs of all entries with a posting date in [since, until).
create function books_internal.legs_within(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, leg smallint, debit text, credit text, currency text, amount numeric, effective_at timestamptz,
  counted_at timestamptz, period text, original_period text, kind text, stream text, record_id text, version integer, reverses uuid, description text)
language sql stable parallel safe as $$
  select own.* from books_internal.legs_on_time(since, until) own
  union all
  select late.entity_id, late.entry_id, t.leg, t.debit, t.credit, t.currency, t.amount, late.effective_at, late.counted_at, late.period,
    late.original_period, late.kind, late.stream, late.record_id, late.version, late.reverses, late.description
  from books_internal.late_within(since, until, by) late
  join books.transfers t using (entity_id, entry_id)
$$;

-- The number of legs of each entry with a posting date in [since, until). Those whose ids lie in the period are counted in the order
-- of the ids, without a sort; some of them are posted elsewhere. Late entries of before are counted one by one.
create function books_internal.leg_counts(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, legs bigint) language sql stable parallel safe as $$
  select t.entity_id, t.entry_id, count(*)
  from books.transfers t
  where t.entry_id >= books_internal.first_entry_id(since) and t.entry_id < books_internal.first_entry_id(until + interval '1 ms')
  group by t.entity_id, t.entry_id
  union all
  select t.entity_id, t.entry_id, count(*)
  from books_internal.late_within(since, until, by) late
  join books.transfers t using (entity_id, entry_id)
  where late.entry_id < books_internal.first_entry_id(since)
  group by t.entity_id, t.entry_id
$$;

-- The postings with a posting date in [since, until), each with the account across. is_late: it took effect earlier, in a closed
-- month. is_undone: a reversal, whose sides are swapped to those of the entry that it reverses.
create function books_internal.period_postings(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, leg smallint, account text, across text, currency text, amount numeric,
  effective_at timestamptz, counted_at timestamptz, is_late boolean, is_undone boolean, period text, original_period text, kind text,
  stream text, record_id text, description text)
language sql stable parallel safe as $$
  select l.entity_id, l.entry_id, l.leg, side.account, side.across, l.currency, side.amount, l.effective_at, l.counted_at,
    l.effective_at < since, l.kind = 'reversal', l.period, l.original_period, l.kind, l.stream, l.record_id, l.description
  from books_internal.legs_within(since, until, by) l
  cross join lateral (values (l.debit, l.credit, l.amount), (l.credit, l.debit, -l.amount)) as side (account, across, amount)
$$;

-- The type of a movement of a holding, by the account across: a reversal has the type of the entry that it reverses.
create function books_internal.roll_forward_type(across text, amount numeric, is_undone boolean, is_late boolean) returns text
language sql immutable parallel safe
return case
  when is_late then 'late'
  when across is null or books_internal.is_holding(across) then 'within'
  when across like 'expenses:fees:%' then 'fee'
  when across like 'income:%' then 'reward'
  when across = 'equity:opening' then 'opened'
  when across = 'equity:conversion' then case when (amount > 0) <> is_undone then 'traded in' else 'traded out' end
  when (amount > 0) <> is_undone then 'in'
  else 'out'
end;

-- The postings of an account of a tie-out that took effect between two instants; `since` null means from the first.
create function books_internal.account_postings(entity text, place text, code text, since timestamptz, until timestamptz)
returns table (stream text, record_id text, effective_at timestamptz, amount numeric) language sql stable parallel safe as $$
  select p.stream, p.record_id, p.effective_at, p.amount
  from books.postings p
  where p.entity_id = entity and p.currency = code
    and books_internal.tied_account(p.account) = place
    and p.entry_id >= books_internal.first_entry_id(coalesce(since, '-infinity'))
    and p.entry_id < books_internal.first_entry_id(until + interval '1 ms')
    and p.effective_at >= coalesce(since, '-infinity') and p.effective_at < until
$$;

-- The postings with a posting date at or after a cut-off that took effect before another instant, trading and bots as one account.
-- Postings on time are found by the time in their ids, late ones by their index, so that a month costs what was booked since.
create function books_internal.postings_since_cutoff(cutoff timestamptz, until timestamptz)
returns table (entity_id text, account text, currency text, effective_at timestamptz, stream text, record_id text, amount numeric)
language sql stable parallel safe as $$
  select p.entity_id, books_internal.tied_account(p.account), p.currency,
    p.effective_at, p.stream, p.record_id, p.amount
  from (
    select own.entity_id, side.account, own.currency, own.effective_at, own.stream, own.record_id, side.amount
    from books_internal.legs_on_time(cutoff, until) own
    cross join lateral (values (own.debit, own.amount), (own.credit, -own.amount)) as side (account, amount)
    union all
    select late.entity_id, late.account, late.currency, late.effective_at, late.stream, late.record_id, late.amount
    from books.postings late
    where late.is_late and late.posted_at >= cutoff and late.effective_at < until
  ) as p
$$;
