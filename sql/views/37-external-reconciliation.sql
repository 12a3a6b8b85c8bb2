-- What differs between the books and the statements of our own accounts: the payments that the books show, what is in no pair, the
-- differences item by item, and the sum of all of it in each currency.
-- For: bank reconciliation; the checks bank_lines and chain_lines.
--   psql -f sql/views/37-external-reconciliation.sql

-- What a wallet transaction shows of a payment: its own identifiers, the commitments to its concept and to the bank account on each
-- side, the hash, the address on each side, and whether it is one of the platform's own card, which no bank of ours sees.
create view books_internal.payment_ends as
select r.entity_id, r.stream, r.record_id, r.version,
  array_remove(array[r.record_id, j ->> 'orderId', j ->> 'instantId', j ->> 'reference'], null) as identifiers,
  nullif(j ->> 'concept', '') as concept, books_internal.address_key(j #>> '{transaction,hash}') as hash, side.name as side,
  nullif(j -> side.name ->> 'bankAccount', '') as bank_account, books_internal.address_key(j -> side.name ->> 'address') as address,
  coalesce(j ->> 'subtype' like '%-bcard', false) as is_platform_card
from land.records r
cross join (values ('origin'), ('destination')) as side (name)
cross join lateral (select r.payload::jsonb as j offset 0) as parsed;

-- The accounts of the books that stand for our accounts elsewhere. Banks and cards are one place, because a card's payments may be on a
-- bank's statement.
create view books_internal.external_places as
select kind, account
from (values ('bank', 'equity:external:bank'), ('bank', 'equity:external:card'), ('chain', 'equity:external:blockchain')) as p (kind, account);

-- What an entity's entries that are not reversed moved between two instants to our bank accounts and cards, or onto a chain
-- (amount > 0: money left the platform), or from there, and what those moved whose record was cancelled later for good: they may be on a statement
-- together with their return, and need not be. `pocketed` is the change of our pockets, which differs by a fee. The record
-- shows its own identifiers, and commitments to its concept and to the bank account on the other side; on a chain the hash and the
-- address on the other side.
create function books_internal.payments_between(entity text, kind text, code text, since timestamptz, until timestamptz)
returns table (kind text, entry_id uuid, account text, currency text, effective_at timestamptz, effective_day date, posted_at timestamptz,
  stream text, record_id text, amount numeric, pocketed numeric, identifiers text[], concept text, bank_account text, hash text,
  address text, is_platform_card boolean, returned_by uuid,
  returned_at timestamptz, returned_day date)
language sql stable parallel safe as $$
  select payments_between.kind, m.entry_id, m.account, m.currency, e.effective_at,
    (e.effective_at at time zone coalesce(n.timezone, 'UTC'))::date, e.posted_at, e.stream, e.record_id, trim_scale(m.amount),
    trim_scale(sign(m.amount) * m.pocketed),
    coalesce(shown.identifiers, array[e.record_id]), shown.concept, shown.bank_account, shown.hash, shown.address,
    coalesce(shown.is_platform_card, false), undone.entry_id, undone.effective_at,
    (undone.effective_at at time zone coalesce(n.timezone, 'UTC'))::date
  from (
    select t.entry_id, t.currency, min(side.account) as account, sum(side.amount) as amount, (
      select coalesce(abs(sum(case when own.debit like 'assets:pocket:%' then own.amount else -own.amount end)), 0)
      from books.transfers own
      where own.entity_id = entity and own.entry_id = t.entry_id and own.currency = t.currency
        and (own.debit like 'assets:pocket:%') <> (own.credit like 'assets:pocket:%')
    ) as pocketed
    from books.transfers t
    cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount)
    where t.entity_id = entity and t.currency = code
      and t.entry_id >= books_internal.first_entry_id(since) and t.entry_id < books_internal.first_entry_id(until)
      and side.account in (select p.account from books_internal.external_places p where p.kind = payments_between.kind)
    group by t.entry_id, t.currency
    offset 0
  ) as m
  cross join lateral (
    select * from books.entries own where (own.entity_id, own.entry_id) = (entity, m.entry_id) and own.reverses is null offset 0
  ) as e
  left join lateral (
    select u.entry_id, u.effective_at from books.entries u
    where (u.entity_id, u.stream, u.record_id, u.ordinal) = (entity, e.stream, e.record_id, e.ordinal + 1) and u.reverses = m.entry_id
    offset 0
  ) as undone on true
  left join books.entities n on n.entity_id = entity
  left join lateral (
    select f.* from books_internal.payment_ends f
    where (f.entity_id, f.stream, f.record_id) = (entity, e.stream, e.record_id)
      and f.side = case when m.amount > 0 then 'destination' else 'origin' end
    order by f.version desc limit 1 -- a hash may come later than what is booked
  ) as shown on true
  where m.amount <> 0 and (
    undone.entry_id is null or undone.effective_at > e.effective_at and not exists ( -- nothing is booked in its place
      select from books.entries x where (x.entity_id, x.stream, x.record_id, x.ordinal) = (entity, e.stream, e.record_id, e.ordinal + 2)
    )
  )
$$;

-- The lines of an entity's statements that are in no standing pair.
create function books_internal.open_external_lines(entity text)
returns table (account_name text, line_number integer, kind text, currency text, booked_on date, value_on date, happened_at timestamptz,
  amount numeric, hash text, address text, own_address text, reference_marks text[], number_marks text[], is_related boolean)
language sql stable parallel safe as $$
  select l.account_name, l.line_number, a.kind, a.currency, l.booked_on, l.value_on, l.happened_at, trim_scale(l.amount), l.hash, l.address,
    books_internal.address_key(a.address), l.reference_marks, a.number_marks, l.is_related
  from books_internal.external_numbers a
  join books_internal.external_marks l using (entity_id, account_name)
  left join books_internal.external_pairs p
    on (p.entity_id, p.account_name, p.line_number) = (l.entity_id, l.account_name, l.line_number) and p.stands
  where a.entity_id = entity and p.entry_id is null and l.amount <> 0
$$;

-- The payments of an entity that are in no standing pair, also those that were returned, in the currencies of the entity's statements and
-- since the first of them. Only days whose postings are not all paired are read.
create function books_internal.open_payments(entity text)
returns table (kind text, entry_id uuid, account text, currency text, effective_at timestamptz, effective_day date, posted_at timestamptz,
  stream text, record_id text, amount numeric, pocketed numeric, identifiers text[], concept text, bank_account text, hash text,
  address text, is_platform_card boolean, returned_by uuid,
  returned_at timestamptz, returned_day date)
language sql stable parallel safe as $$
  with followed as (
    select a.kind, a.currency, min(s.starts_on) - 31 as since
    from books_internal.external_numbers a
    join books_internal.standing_statements s using (entity_id, account_name)
    where a.entity_id = entity
    group by 1, 2
  ), posted as (
    select f.kind, f.currency, d.effective_day, sum(d.debit) as debit, sum(d.credit) as credit
    from followed f
    join books_internal.external_places place using (kind)
    join books_internal.daily d
      on (d.entity_id, d.account, d.currency) = (entity, place.account, f.currency) and d.effective_day >= f.since
    group by 1, 2, 3
  ), paired as (
    select p.kind, p.currency, (p.effective_at at time zone 'UTC')::date as effective_day,
      sum(greatest(p.entry_amount, 0)) as debit, sum(greatest(-p.entry_amount, 0)) as credit
    from books_internal.external_pairs p
    where p.entity_id = entity and p.stands
    group by 1, 2, 3
  )
  select m.*
  from posted d
  left join paired p using (kind, currency, effective_day)
  cross join lateral books_internal.payments_between(entity, d.kind, d.currency, d.effective_day::timestamp at time zone 'UTC',
    (d.effective_day + 1)::timestamp at time zone 'UTC') m
  where (d.debit, d.credit) is distinct from (p.debit, p.credit)
    and not exists (
      select from books_internal.external_pairs x
      where (x.entity_id, x.entry_id, x.kind, x.currency) = (entity, m.entry_id, m.kind, m.currency) and x.stands
    )
$$;

-- What differs between an entity's books and its statements, item by item: a line without an entry, an entry without a line, a pair
-- with two amounts. is_due: it has waited as long as it may be on its way, and both sides were read that far. is_ambiguous: another
-- open item of the other side has the same amount, and nothing shows which belongs to which. An entry counts only where it could be on
-- a statement: from the first one on, and not if it names another bank account or address than ours, or is of the platform's card.
create function books_internal.external_items(entity text)
returns table (kind text, item text, subject text, account_name text, line_number integer, account text, currency text, day date,
  stated numeric, booked numeric, stream text, record_id text, posted_at timestamptz, is_due boolean, is_ambiguous boolean)
language sql stable parallel safe as $$
  with own as materialized ( -- our accounts, and the days that their statements cover
    select a.account_name, a.kind, a.currency, a.number_marks, a.address, min(s.starts_on) as starts_on, max(s.ends_on) as ends_on
    from books_internal.external_numbers a
    join books_internal.standing_statements s using (entity_id, account_name)
    where a.entity_id = entity
    group by a.account_name, a.kind, a.currency, a.number_marks, a.address
  ), read as ( -- up to which day the gateway was read
    select (max(upper(c.covered)) at time zone 'UTC')::date as through
    from books_internal.lists c where (c.entity_id, c.stream) = (entity, 'wallet-transactions')
  ), line as materialized ( -- lines without an entry
    select l.*, l.value_on + books_internal.external_days(l.kind) < (select through from read) as is_due
    from books_internal.open_external_lines(entity) l where l.is_related
  ), payment as materialized ( -- entries without a line that could be on a statement
    select m.*, o.ends_on >= m.effective_day + books_internal.external_days(m.kind) as is_due
    from books_internal.open_payments(entity) m
    cross join lateral (
      select max(own.ends_on) as ends_on, min(own.starts_on) as starts_on
      from own
      where (own.kind, own.currency) = (m.kind, m.currency)
        and case m.kind when 'chain' then books_internal.address_key(own.address) = m.address
          else m.bank_account is null or own.number_marks = '{}' or m.bank_account = any (own.number_marks) end
    ) as o
    where m.effective_at >= o.starts_on::timestamp at time zone 'UTC' and m.returned_by is null and not m.is_platform_card
  )
  select l.kind, 'only on the statement', l.account_name || ' line ' || l.line_number, l.account_name, l.line_number,
    case l.kind when 'bank' then 'equity:external:bank' else 'equity:external:blockchain' end, l.currency, l.booked_on, l.amount, 0::numeric,
    null, null, null::timestamptz, coalesce(l.is_due, false), exists (
      select from payment m where (m.kind, m.currency, m.amount) = (l.kind, l.currency, l.amount)
        and abs(m.effective_day - l.value_on) <= books_internal.external_days(l.kind) and l.kind = 'bank'
    )
  from line l
  union all
  select m.kind, 'only in the books', concat_ws(' ', m.stream, m.record_id, m.currency), null, null, m.account, m.currency, m.effective_day,
    0::numeric, m.amount, m.stream, m.record_id, m.posted_at, coalesce(m.is_due, false), exists (
      select from line l where (l.kind, l.currency, l.amount) = (m.kind, m.currency, m.amount)
        and abs(m.effective_day - l.value_on) <= books_internal.external_days(m.kind) and m.kind = 'bank'
    )
  from payment m
  union all
  select p.kind, 'another amount', p.account_name || ' line ' || p.line_number, p.account_name, p.line_number, p.account, p.currency,
    l.booked_on, p.line_amount, p.entry_amount, p.stream, p.record_id, e.posted_at, true, false
  from books_internal.external_pairs p
  join books_internal.external_marks l using (entity_id, account_name, line_number)
  join books.entries e using (entity_id, entry_id)
  where p.entity_id = entity and p.stands and p.difference <> 0
$$;

-- From what the statements of our accounts state to what the books hold outside the platform, in each currency with statements, item by
-- item as of a cut-off; together they make zero.
-- stated and its differences are of lines up to the cut-off; booked are the closing balances of the trial balance. Reversed entries are read
-- on the days whose postings are neither paired nor open, so they are no remainder: what they leave shows in the sum.
create function books_internal.external_reconciliation(cutoff timestamptz)
returns table (entity_id text, account text, currency text, place integer, item text, occurred_at timestamptz, stream text, record_id text,
  amount numeric, status text, check_name text, subject text, own_account text, lines bigint)
language sql stable parallel safe as $$
  with own as materialized ( -- our accounts with statements, and from when on their currency has some
    select a.entity_id, a.kind, a.currency, a.account_name, coalesce(n.timezone, 'UTC') as timezone, s.ends_on,
      min(s.starts_on::timestamp at time zone 'UTC') over (partition by a.entity_id, a.kind, a.currency) as starts_at
    from books_internal.external_numbers a
    join books.entities n using (entity_id)
    cross join lateral (
      select min(x.starts_on) as starts_on, max(x.ends_on) as ends_on from books_internal.standing_statements x
      where (x.entity_id, x.account_name) = (a.entity_id, a.account_name)
    ) as s
    where s.starts_on is not null
  ), place as materialized ( -- the accounts of the books that stand for them
    select distinct o.entity_id, o.kind, o.currency, o.starts_at, p.account
    from own o
    join books_internal.external_places p using (kind)
    where o.starts_at < cutoff
  ), line as materialized ( -- every line of a statement, with the entry that it is paired with
    select o.entity_id, o.kind, o.currency, l.account_name, l.line_number, l.booked_on, l.amount, l.is_related,
      coalesce(l.happened_at < cutoff, l.booked_on < (cutoff at time zone o.timezone)::date) as is_stated,
      p.entry_id, p.account, p.entry_amount, p.fee, p.difference, p.effective_at, p.stream, p.record_id
    from own o
    join books_internal.external_marks l using (entity_id, account_name)
    left join books_internal.external_pairs p
      on (p.entity_id, p.account_name, p.line_number) = (l.entity_id, l.account_name, l.line_number) and p.stands
  ), found as materialized ( -- what differs, item by item
    select o.entity_id, i.*
    from (select distinct entity_id from own) o
    cross join lateral books_internal.external_items(o.entity_id) i
  ), open as materialized ( -- entries without a line
    select p.entity_id, m.*
    from (select distinct entity_id from place) p
    cross join lateral books_internal.open_payments(p.entity_id) m
    where m.effective_at < cutoff and m.returned_by is null
  ), open_in as ( -- those since the first statement; those without a subject are of accounts that are not ours
    select o.*, f.subject, f.is_due
    from open o
    join place p using (entity_id, kind, currency, account)
    left join found f
      on (f.entity_id, f.kind, f.stream, f.record_id, f.currency) = (o.entity_id, o.kind, o.stream, o.record_id, o.currency)
      and f.item = 'only in the books'
    where o.effective_at >= p.starts_at
  ), summed as ( -- what the books moved on each day
    select p.entity_id, p.account, p.currency, (d.effective_day)::date as day, sum(d.debit - d.credit) as amount
    from place p
    join books_internal.daily d using (entity_id, account, currency)
    where d.effective_day >= (p.starts_at at time zone 'UTC')::date and d.effective_day <= (cutoff at time zone 'UTC')::date
    group by 1, 2, 3, 4
  ), known as ( -- what pairs and open entries make of that
    select entity_id, account, currency, day, sum(amount) as amount
    from (
      select l.entity_id, l.account, l.currency, (l.effective_at at time zone 'UTC')::date as day, l.entry_amount as amount
      from line l where l.entry_id is not null
      union all
      select entity_id, account, currency, (effective_at at time zone 'UTC')::date, amount from open
    ) as k
    group by 1, 2, 3, 4
  ), reversed as ( -- the rest of a day: reversed entries and their reversals, on no statement
    select s.entity_id, s.account, s.currency, sum(p.amount) as amount, count(*) as postings
    from summed s
    left join known k using (entity_id, account, currency, day)
    join books.postings p on (p.entity_id, p.account, p.currency) = (s.entity_id, s.account, s.currency)
      and p.entry_id >= books_internal.first_entry_id(s.day::timestamp at time zone 'UTC')
      and p.entry_id < books_internal.first_entry_id((s.day + 1)::timestamp at time zone 'UTC')
    where (s.amount <> coalesce(k.amount, 0) or s.day = (cutoff at time zone 'UTC')::date) and p.effective_at < cutoff
      and (p.reverses is not null or books_internal.is_reversed(p.entity_id, p.entry_id))
      and not exists (select from line l where (l.entity_id, l.entry_id) = (p.entity_id, p.entry_id))
    group by 1, 2, 3
  ), balance as ( -- what the books hold: before the first statement, late entries, and at the cut-off
    select p.entity_id, p.kind, p.currency, p.account, p.starts_at, coalesce(before.balance, 0) as before, coalesce(late.amount, 0) as late,
      coalesce(now.balance, 0) - coalesce(late.amount, 0) as closing
    from place p
    left join lateral (
      select sum(d.debit - d.credit) as balance from books_internal.daily d
      where (d.entity_id, d.account, d.currency) = (p.entity_id, p.account, p.currency)
        and d.effective_day < (p.starts_at at time zone 'UTC')::date
    ) as before on true
    left join books.balances_at(cutoff) now
      on (now.entity_id, now.account, now.currency) = (p.entity_id, p.account, p.currency)
    left join lateral (
      select sum(x.amount) as amount from books.postings x
      where (x.entity_id, x.account, x.currency) = (p.entity_id, p.account, p.currency)
        and x.is_late and x.original_period is not null and x.effective_at < cutoff and x.posted_at >= cutoff
    ) as late on true
  ), item as ( -- what is stated (1), what lies between (2 to 12), what is booked (13)
    select o.entity_id, o.kind, o.currency, 1 as place, 'stated' as item,
      least(books_internal.local_start((o.ends_on + 1)::timestamp, o.timezone), cutoff) as occurred_at, null::text as stream,
      null::text as record_id, coalesce(sum(l.amount), 0) as amount, null::text as status, null::text as check_name, null::text as subject,
      o.account_name as own_account, count(l.line_number) as lines
    from own o
    left join line l on (l.entity_id, l.account_name) = (o.entity_id, o.account_name) and l.is_stated
    where o.starts_at < cutoff
    group by o.entity_id, o.kind, o.currency, o.account_name, o.ends_on, o.timezone
    union all
    select entity_id, kind, currency, 2, 'unrelated', null, null, null, -sum(amount), null, null, null, account_name, count(*)
    from line where is_stated and entry_id is null and not is_related and amount <> 0
    group by 1, 2, 3, account_name
    union all
    select l.entity_id, l.kind, l.currency, 3, 'only on the statement', l.booked_on::timestamp at time zone 'UTC', null, null, -l.amount,
      case when f.is_due then 'break' else 'in-transit' end, l.kind || '_lines', f.subject, l.account_name, 1
    from line l
    join found f on (f.entity_id, f.account_name, f.line_number, f.item) = (l.entity_id, l.account_name, l.line_number, 'only on the statement')
    where l.is_stated
    union all
    select l.entity_id, l.kind, l.currency, 4, 'another amount', l.effective_at, l.stream, l.record_id, -l.difference, 'break',
      l.kind || '_lines', l.account_name || ' line ' || l.line_number, l.account_name, 1
    from line l where l.is_stated and l.difference <> 0
    union all
    select entity_id, kind, currency, 5, 'fee on the statement', null, null, null, -sum(fee), null, null, null, account_name, count(*)
    from line where is_stated and fee <> 0
    group by 1, 2, 3, account_name
    union all
    select l.entity_id, l.kind, l.currency, 6, case when l.effective_at < cutoff then 'booked earlier' else 'booked later' end, l.effective_at,
      l.stream, l.record_id, -l.entry_amount, 'in-transit', null, null, l.account_name, 1
    from line l join own o using (entity_id, account_name)
    where l.is_stated and l.entry_id is not null and (l.effective_at >= cutoff or l.effective_at < o.starts_at)
    union all
    select l.entity_id, l.kind, l.currency, 7, 'stated later', l.booked_on::timestamp at time zone 'UTC', l.stream, l.record_id,
      l.entry_amount, 'in-transit', null, null, l.account_name, 1
    from line l join own o using (entity_id, account_name)
    where not l.is_stated and l.effective_at < cutoff and l.effective_at >= o.starts_at
    union all
    select entity_id, kind, currency, 8, 'only in the books', effective_at, stream, record_id, amount,
      case when is_due then 'break' else 'in-transit' end, kind || '_lines', subject, null, null
    from open_in where subject is not null
    union all
    select entity_id, kind, currency, 9, 'of other accounts', null, null, null, sum(amount), null, null, null, null, count(*)
    from open_in where subject is null
    group by 1, 2, 3
    union all
    select b.entity_id, b.kind, b.currency, 10, 'reversed', null, null, null, sum(r.amount), null, null, null, null, sum(r.postings)::bigint
    from balance b
    join reversed r using (entity_id, account, currency)
    group by 1, 2, 3
    having sum(r.amount) <> 0
    union all
    select entity_id, kind, currency, 11, 'before the first statement', starts_at, null, null, sum(before), null, null, null, null, null
    from balance where before <> 0
    group by 1, 2, 3, starts_at
    union all
    select entity_id, kind, currency, 12, 'posted later', null, null, null, -sum(late), null, null, null, null, null
    from balance where late <> 0
    group by 1, 2, 3
    union all
    select b.entity_id, b.kind, b.currency, 13, case b.account when 'equity:external:card' then 'booked on cards' else 'booked' end, cutoff, null,
      null, -b.closing, null, null, null, null, paired.lines
    from balance b
    cross join lateral (
      select count(*) as lines from line l
      where (l.entity_id, l.account, l.currency) = (b.entity_id, b.account, b.currency) and l.difference = 0 and l.is_stated
        and l.effective_at < cutoff and l.effective_at >= b.starts_at
    ) as paired
    where b.closing <> 0 or b.account <> 'equity:external:card'
  )
  select entity_id, case kind when 'bank' then 'equity:external:bank' else 'equity:external:blockchain' end, currency, place, item,
    occurred_at, stream, record_id, amount, status, check_name, subject, own_account, lines
  from item
$$;
