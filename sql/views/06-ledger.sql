-- Entries, their transfers and postings, and the daily summary of them.
-- For: every figure in units.
--   psql -f sql/views/06-ledger.sql

create view books.entries as
select e.entity_id, e.entry_id, e.effective_at, e.recorded_at, e.period, e.kind, e.stream, e.record_id, e.version,
  e.reverses, e.description, e.ordinal, e.rule_version, case when not back.is_returned then e.original_period end as original_period,
  e.entry_number,
  case when e.original_period is null then e.effective_at
    else books_internal.local_start((e.period || '-01')::timestamp, coalesce(n.timezone, 'UTC')) end as posted_at, back.is_returned,
  e.original_period is not null as is_late, e.undoes
from ledger.entries e
cross join lateral (
  select e.original_period is not null and (
    exists (select from ledger.returns k where (k.entity_id, k.entry_id) = (e.entity_id, e.entry_id))
    or exists (select from ledger.returns k where (k.entity_id, k.undone_by) = (e.entity_id, e.entry_id))
  ) as is_returned
) as back
left join run.entities n using (entity_id);
comment on view books.entries is
  'One row per journal entry: one business event, never changed or deleted once written.';
comment on column books.entries.version is 'Version of the record that caused the entry.';
comment on column books.entries.entry_number is 'Number in the order of booking, without regard to entities; increases, with gaps.';
comment on column books.entries.undoes is 'Reversal that this entry takes back: the record stands again from before its cancellation, or a month was reopened; null if none.';
comment on column books.entries.is_returned is 'True for a late entry that went back into its original month when that was reopened, and for its reversal.';

-- The entries that are not late: they count when they take effect.
create view books_internal.entries_on_time as
select entity_id, entry_id, effective_at, period, kind, stream, record_id, version, reverses, description, recorded_at
from ledger.entries
where original_period is null;

-- Whether an entry belongs to the month that is restated. `by` is posted_at, or a month: 2026-09, or of one entity, main 2026-09.
create function books_internal.is_restated(entity_id text, original_period text, by text)
returns boolean language sql immutable parallel safe
return coalesce(by in (original_period, entity_id || ' ' || original_period), false);

-- The posting date under which a period counts an entry. `by` is posted_at, or a month: then the entries that belong to that
-- month are placed by their effective date, as if the month had not been closed.
create function books_internal.posting_date(entity_id text, original_period text, by text, effective_at timestamptz, posted_at timestamptz)
returns timestamptz language sql immutable parallel safe
return case when books_internal.is_restated(entity_id, original_period, by) then effective_at else posted_at end;

create view books.transfers as
select entity_id, entry_id, leg, debit, credit, currency, amount from ledger.transfers;
comment on view books.transfers is
  'One row per leg of an entry: a positive amount of one currency from one account to another.';
comment on column books.transfers.debit is 'Account that receives.';
comment on column books.transfers.credit is 'Account that gives.';
comment on column books.transfers.amount is 'Amount in units of the currency; always positive.';

create view books.postings as
select e.entity_id, e.entry_id, t.leg, side.account, t.currency, side.amount, e.effective_at, e.period, e.kind, e.stream,
  e.record_id, e.recorded_at, e.original_period, e.posted_at, e.reverses, e.entry_number, e.is_late
from books.entries e
join ledger.transfers t using (entity_id, entry_id)
cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount);
comment on view books.postings is
  'One row per side of each transfer, so two rows per leg; they sum to zero per entry and currency.';
comment on column books.postings.amount is 'Amount in units of the currency; debit positive, credit negative.';
comment on column books.postings.entry_number is 'Number of the entry in the order of booking.';

-- Whether an entry is reversed: the next entry in its record's chain reverses it.
create function books_internal.is_reversed(entity text, entry uuid) returns boolean language sql stable parallel safe
return exists (
  select from books.entries e
  join books.entries u on (u.entity_id, u.stream, u.record_id, u.ordinal) = (e.entity_id, e.stream, e.record_id, e.ordinal + 1)
  where (e.entity_id, e.entry_id) = (entity, entry) and u.reverses = e.entry_id
);

-- The number of the last entry that the runs up to one booked, by the number of that run; the last run may still go on.
create function books_internal.last_entry_by(last_run bigint) returns bigint language sql stable parallel safe
return coalesce((select r.entries_to from books.runs r where r.run_number = last_run), 9223372036854775807);

-- The entry of which an entry has the legs, or their opposite: what it reverses, or what the reversal that it undoes had reversed, and so on.
create function books_internal.stands_for(entity text, entry uuid) returns uuid language sql stable parallel safe as $$
  with recursive line as (
    select e.entry_id, coalesce(e.reverses, e.undoes) as opposite from books.entries e where (e.entity_id, e.entry_id) = (entity, entry)
    union all
    select e.entry_id, coalesce(e.reverses, e.undoes) from line join books.entries e on (e.entity_id, e.entry_id) = (entity, line.opposite)
  )
  select line.entry_id from line where line.opposite is null
$$;

-- An entry with what reversed it, what undid that, and so on; none if it undoes a reversal itself, and stands for another.
create function books_internal.with_reversals(entity text, entry uuid)
returns table (entity_id text, entry_id uuid, stream text, record_id text, effective_at timestamptz, original_period text, posted_at timestamptz,
  is_reversal boolean)
language sql stable parallel safe as $$
  with recursive line as (
    select own.* from books.entries own where (own.entity_id, own.entry_id) = (entity, entry) and own.undoes is null
    union all
    select e.* from line
    join books.entries e on (e.entity_id, e.stream, e.record_id) = (line.entity_id, line.stream, line.record_id) and e.ordinal > line.ordinal
      and coalesce(e.reverses, e.undoes) = line.entry_id
  )
  select line.entity_id, line.entry_id, line.stream, line.record_id, line.effective_at, line.original_period, line.posted_at,
    line.reverses is not null
  from line
$$;

-- The daily summary: the sum of an account's postings of one UTC day, per instant of recording.
create view books_internal.daily as
select entity_id, account, currency, effective_day, recorded_at, debit, credit
from ledger.daily;

-- What each account sums to now.
create view books_internal.totals as
select entity_id, account, currency, debit, credit from ledger.totals;

-- The smallest id of an entry that takes effect at or after an instant: ids begin with 48 bits of Unix milliseconds.
create function books_internal.first_entry_id(at timestamptz) returns uuid language sql immutable strict parallel safe
return rpad(lpad(to_hex(
  least(greatest(floor(extract(epoch from at at time zone 'UTC') * 1000), 0), 281474976710655)::bigint
), 12, '0'), 32, '0')::uuid;

-- What entries of a UTC day reverse, found by their ids; a day at a time.
create function books_internal.reversed_on(entity text, day date) returns table (entry_id uuid) language sql stable parallel safe as $$
  select r.reverses from books.entries r
  where r.entity_id = entity and r.entry_id >= books_internal.first_entry_id(day::timestamp at time zone 'UTC')
    and r.entry_id < books_internal.first_entry_id((day + 1)::timestamp at time zone 'UTC') and r.reverses is not null
  offset 0
$$;
