-- Transfers between our own entities, as paired, and those to and from people and chains.
-- For: consolidation.
--   psql -f sql/views/22-own-transfers.sql

-- The owner of each end of a wallet transaction: the entity of ours with that pocket or user, or `elsewhere` for anybody else.
-- The names themselves are not shown. side: origin or destination.
create view books_internal.named_ends as
select r.entity_id, r.stream, r.record_id, r.version, side.name as side, coalesce(pocket.entity_id, own.entity_id) as names_entity,
  case when pocket.entity_id is not null then 'pocket' when own.entity_id is not null then 'user' end as names_by,
  coalesce(pocket.entity_id, own.entity_id) is null and coalesce(far ->> 'pocketId', far ->> 'userId') is not null as elsewhere
from land.records r
cross join (values ('origin'), ('destination')) as side (name)
cross join lateral (select r.payload::jsonb -> side.name as far offset 0) as far_side
cross join lateral (
  select min(p.entity_id) as entity_id from land.pockets p
  where lower(p.pocket_id) = lower(far ->> 'pocketId') and p.entity_id <> r.entity_id
) as pocket
cross join lateral (
  select min(n.entity_id) as entity_id from run.entities n
  where far ->> 'userId' in (n.gateway_user_id, n.subaccount_id) and n.entity_id <> r.entity_id
) as own
where r.stream = 'wallet-transactions';

-- The blockchain addresses on which our pockets receive, in comparable form. The lists of all entities, one after the other:
-- records have no order across entities.
create view books_internal.own_addresses as
select n.entity_id, listed.pocket_id, listed.address, listed.network
from run.entities n
cross join lateral (
  select distinct lower(j ->> 'pocketId') as pocket_id, books_internal.address_key(j ->> 'address') as address,
    lower(j ->> 'network') as network
  from land.records r
  cross join lateral (select r.payload::jsonb as j offset 0) as parsed
  where r.entity_id = n.entity_id and r.stream = 'deposit-addresses' and j ->> 'address' <> ''
) as listed;

-- What a wallet transaction shows of a chain: the address it went to, unless a tag shows that others share it, its network, the
-- hash, and the pocket that received.
create view books_internal.chain_ends as
select r.entity_id, r.stream, r.record_id, r.version,
  case when coalesce(sent_to ->> 'addressTag', '') = '' then books_internal.address_key(sent_to ->> 'address') end as address,
  lower(coalesce(sent_to ->> 'addressNetwork', sent_to ->> 'network')) as network,
  books_internal.address_key(j #>> '{transaction,hash}') as hash, lower(sent_to ->> 'pocketId') as pocket_id
from land.records r
cross join lateral (select r.payload::jsonb as j offset 0) as parsed
cross join lateral (select j -> 'destination' as sent_to) as side
where r.stream = 'wallet-transactions';

-- The entries of records that stood for a time, or still do; without those that were corrected or cancelled at their own time. nth: from the last
-- one of the record (last_entry_id); times: how many its record has. cancelled_at: null if it stands. To be asked for a record.
create view books_internal.stood as
select entity_id, stream, record_id, entry_id, effective_at, cancelled_at, row_number() over latest as nth,
  count(*) over (partition by entity_id, stream, record_id) as times, first_value(entry_id) over latest as last_entry_id,
  first_value(effective_at) over latest as last_effective_at, first_value(cancelled_at) over latest as last_cancelled_at
from (
  select entity_id, stream, record_id, ordinal, entry_id, effective_at, reverses,
    case when lead(reverses) over chain = entry_id and lead(ordinal) over chain = ordinal + 1 then lead(effective_at) over chain end as cancelled_at
  from ledger.entries
  window chain as (partition by entity_id, stream, record_id order by ordinal)
) as e
where reverses is null and (cancelled_at is null or cancelled_at > effective_at)
window latest as (partition by entity_id, stream, record_id order by ordinal desc);

-- What an entity's entries that are not reversed, or are the last of a record that was cancelled, moved to people and onto chains (amount > 0:
-- money left) or from them, of those that took effect between two instants. `pocketed` is the change of our own pockets, which may differ by a fee. People:
-- the owner of the other end by the record, the entity of ours with that pocket or user, or `elsewhere` for anybody else.
-- Chains: the address that it went to with its network, or the pocket that received, and the hash. `offset 0`: each entry looks
-- up its own record, in its newest version: a hash may come later than what is booked. Otherwise every wallet transaction is parsed once for
-- each range, and a range is a day.
create function books_internal.outside_moves(entity text, since timestamptz, until timestamptz)
returns table (entity_id text, entry_id uuid, currency text, effective_at timestamptz, stream text, record_id text, amount numeric,
  pocketed numeric, names_entity text, names_by text, elsewhere boolean, is_chain boolean, address text, network text, hash text,
  pocket_id text, cancelled_at timestamptz)
language sql stable parallel safe as $$
  select e.entity_id, m.entry_id, m.currency, e.effective_at, e.stream, e.record_id, trim_scale(m.amount), trim_scale(m.pocketed),
    n.names_entity, n.names_by, coalesce(n.elsewhere, false), m.is_chain, case when m.amount > 0 then chain.address end, case when m.amount > 0 then chain.network end, chain.hash,
    case when m.amount < 0 then chain.pocket_id end, e.cancelled_at
  from (
    select t.entry_id, t.currency, bool_or('equity:external:blockchain' in (t.debit, t.credit)) as is_chain,
      coalesce(sum(t.amount) filter (where t.debit in ('equity:external:person', 'equity:external:blockchain')), 0)
        - coalesce(sum(t.amount) filter (where t.credit in ('equity:external:person', 'equity:external:blockchain')), 0) as amount,
      abs(coalesce(sum(t.amount) filter (where t.debit like 'assets:pocket:%'), 0)
        - coalesce(sum(t.amount) filter (where t.credit like 'assets:pocket:%'), 0)) as pocketed
    from books.transfers t
    where t.entity_id = entity and t.entry_id >= books_internal.first_entry_id(since) and t.entry_id < books_internal.first_entry_id(until)
    group by 1, 2
    having bool_or('equity:external:person' in (t.debit, t.credit)) or bool_or('equity:external:blockchain' in (t.debit, t.credit))
    offset 0
  ) as m
  cross join lateral (
    select l.stream, l.record_id from books.entries l where (l.entity_id, l.entry_id) = (entity, m.entry_id) offset 0
  ) as record
  cross join lateral (
    select * from books_internal.stood own
    where (own.entity_id, own.stream, own.record_id) = (entity, record.stream, record.record_id) and (own.entry_id, own.nth) = (m.entry_id, 1)
    offset 0
  ) as e
  left join lateral (
    select d.* from books_internal.named_ends d
    where not m.is_chain and (d.entity_id, d.stream, d.record_id) = (e.entity_id, e.stream, e.record_id)
      and d.side = case when m.amount > 0 then 'destination' else 'origin' end
    order by d.version desc limit 1
  ) as n on true
  left join lateral (
    select c.* from books_internal.chain_ends c
    where m.is_chain and (c.entity_id, c.stream, c.record_id) = (e.entity_id, e.stream, e.record_id)
    order by c.version desc limit 1
  ) as chain on true
  where m.amount <> 0
$$;

create view books.own_transfers as
select from_entity, from_entry_id, to_entity, to_entry_id, currency, amount_out, amount_in, grounds,
  greatest(from_at - to_at, to_at - from_at) as time_apart, from_stream, from_record_id, from_at, to_stream, to_record_id, to_at,
  run_id, matched_at,
  not (books_internal.is_reversed(from_entity, from_entry_id) or books_internal.is_reversed(to_entity, to_entry_id)) as stands
from reconcile.own_transfers;
comment on view books.own_transfers is
  'One row per pair of entries that move units from one of our entities to another, or over a chain to another pocket of the same.';
comment on column books.own_transfers.from_entity is 'Entity that sent.';
comment on column books.own_transfers.from_entry_id is 'Its entry.';
comment on column books.own_transfers.to_entity is 'Entity that received.';
comment on column books.own_transfers.to_entry_id is 'Its entry.';
comment on column books.own_transfers.amount_out is 'Amount that left, in units of the currency; positive.';
comment on column books.own_transfers.amount_in is 'Amount that arrived, in units of the currency; positive.';
comment on column books.own_transfers.grounds is 'Why they are one transfer: record, pocket, user, or amount and time; on a chain address, hash, or address and hash.';
comment on column books.own_transfers.from_stream is 'Stream of the sending record.';
comment on column books.own_transfers.from_record_id is 'The sending record.';
comment on column books.own_transfers.from_at is 'Effective date of the sending entry.';
comment on column books.own_transfers.to_stream is 'Stream of the receiving record.';
comment on column books.own_transfers.to_record_id is 'The receiving record.';
comment on column books.own_transfers.to_at is 'Effective date of the receiving entry.';
comment on column books.own_transfers.matched_at is 'When they were paired.';

-- The transfers between our own accounts of which an entry is one side, as values follow them: pairs that stand, those of two records that were
-- both cancelled while both sides were there, and the entries that stood for these records before. The last entry of the one belongs to the last of the
-- other, and so on; where one record has fewer, its first stands for the rest. entity_id, entry_id: the other side. is_sent: the entry sent; is_received: its
-- side and the other are one movement, so that the one receives what the other sent.
create function books_internal.transfers_of(entity text, entry uuid)
returns table (entity_id text, entry_id uuid, currency text, amount_out numeric, amount_in numeric, grounds text, is_sent boolean, stands boolean,
  is_received boolean)
language sql stable parallel safe as $$
  select far.entity_id, far.entry_id, k.currency, k.amount_out, k.amount_in, k.grounds, k.is_sent, near.cancelled_at is null and far.cancelled_at is null,
    case when k.is_sent then near.nth <= far.nth else far.nth <= near.nth end
      and near.effective_at <= coalesce(far.cancelled_at, 'infinity') and far.effective_at <= coalesce(near.cancelled_at, 'infinity')
  from (
    select l.stream, l.record_id from books.entries l where (l.entity_id, l.entry_id) = (transfers_of.entity, transfers_of.entry) offset 0
  ) as record
  cross join lateral (
    select * from books_internal.stood own
    where (own.entity_id, own.stream, own.record_id) = (transfers_of.entity, record.stream, record.record_id) and own.entry_id = transfers_of.entry
    offset 0
  ) as near
  cross join lateral (
    select o.to_entity as entity_id, o.to_entry_id as entry_id, o.to_stream as stream, o.to_record_id as record_id, o.currency, o.amount_out, o.amount_in,
      o.grounds, true as is_sent
    from books.own_transfers o where (o.from_entity, o.from_entry_id) = (near.entity_id, near.last_entry_id)
    union all
    select o.from_entity, o.from_entry_id, o.from_stream, o.from_record_id, o.currency, o.amount_out, o.amount_in, o.grounds, false
    from books.own_transfers o where (o.to_entity, o.to_entry_id) = (near.entity_id, near.last_entry_id)
    offset 0
  ) as k
  cross join lateral (
    select * from books_internal.stood other
    where (other.entity_id, other.stream, other.record_id) = (k.entity_id, k.stream, k.record_id) and other.last_entry_id = k.entry_id
    offset 0
  ) as far
  where (near.nth = least(far.nth, near.times) or far.nth = least(near.nth, far.times))
    and (near.last_cancelled_at is null) = (far.last_cancelled_at is null)
    and (near.last_cancelled_at is null or near.last_effective_at <= far.last_cancelled_at and far.last_effective_at <= near.last_cancelled_at)
$$;

-- What people entered as the fee of a transfer between our own accounts, of which less arrived than was sent: an entry about one of its two
-- records, as one more arrival of what was sent, as long as it stands. entry_number: its own, or that of its reversal.
create view books_internal.transfer_fees as
select e.entity_id, e.entry_id, k.from_entity, k.from_entry_id, k.to_entity, k.to_entry_id, k.currency, k.grounds, u.entry_id is null as stands,
  coalesce(u.entry_number, e.entry_number) as entry_number, (
    select sum(t.amount) from ledger.transfers t
    where (t.entity_id, t.entry_id, t.currency) = (e.entity_id, e.entry_id, k.currency) and t.credit like 'equity:external:%'
  ) as amount
from books.proposals p
join ledger.entries e on (e.entity_id, e.stream, e.record_id, e.kind) = (p.entity_id, 'manual', p.proposal_id, 'manual')
join ledger.entries about on (about.entity_id, about.stream, about.record_id) = (p.entity_id, p.stream, p.record_id)
cross join lateral (
  select * from books.own_transfers o where (o.from_entity, o.from_entry_id) = (about.entity_id, about.entry_id)
  union
  select * from books.own_transfers o where (o.to_entity, o.to_entry_id) = (about.entity_id, about.entry_id)
) as k
left join ledger.entries u on (u.entity_id, u.stream, u.record_id, u.ordinal) = (e.entity_id, e.stream, e.record_id, e.ordinal + 1)
  and u.reverses = e.entry_id
where p.action = 'adjust' and k.stands;

-- How much of what an entry sent people have entered as a fee. In PL/pgSQL, so that a statement that asks for it is not planned together with it,
-- with one plan for the session: few books have such fees.
create function books_internal.fee_entered(entity text, entry uuid, currency text) returns numeric
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
begin
  if not exists (select from books.proposals p where p.action = 'adjust') then
    return 0;
  end if;
  return coalesce((
    select sum(f.amount) from books_internal.transfer_fees f
    where (f.from_entity, f.from_entry_id, f.currency) = (fee_entered.entity, fee_entered.entry, fee_entered.currency) and f.stands
  ), 0);
end $$;

-- The fee that an entry by hand is of a transfer between our own accounts, if it is one. In PL/pgSQL, as fee_entered.
create function books_internal.transfer_fees_of(entity text, entry uuid) returns setof books_internal.transfer_fees
language plpgsql stable parallel safe rows 1 set plan_cache_mode = force_generic_plan as $$
begin
  return query select * from books_internal.transfer_fees f where (f.entity_id, f.entry_id) = (transfer_fees_of.entity, transfer_fees_of.entry);
end $$;

-- The pairing state of each day of the transfers to and from people and chains, when it was last looked at.
create view books_internal.own_days as
select entity_id, currency, effective_day, debit, credit, addresses, lone from reconcile.own_days;

-- The days from one on whose legs to and from people and chains sum to something else than when they were last paired, and by how
-- much, or with another number of addresses on which the entity receives.
create function books_internal.transfer_changes(entity text, currency text, receiving integer, since date)
returns table (day date, debit numeric, credit numeric, addresses integer, new_debit numeric, new_credit numeric)
language sql stable parallel safe as $$
  select s.day, s.debit, s.credit, s.addresses, s.debit - coalesce(k.debit, 0), s.credit - coalesce(k.credit, 0)
  from (
    select d.effective_day as day, sum(d.debit) as debit, sum(d.credit) as credit,
      case when bool_or(d.account = 'equity:external:blockchain') then transfer_changes.receiving else 0 end as addresses
    from books_internal.daily d
    where d.entity_id = transfer_changes.entity and d.account in ('equity:external:person', 'equity:external:blockchain')
      and d.currency = transfer_changes.currency and d.effective_day >= transfer_changes.since
    group by 1
  ) as s
  left join books_internal.own_days k on (k.entity_id, k.currency, k.effective_day) = (transfer_changes.entity, transfer_changes.currency, s.day)
  where k.lone is null or (k.debit, k.credit, k.addresses) <> (s.debit, s.credit, s.addresses)
$$;

-- Those moves of an entity to and from people and chains that are in no valid pair: each looks for its own, what was cancelled among the same.
create function books_internal.lone_outside_moves(entity text, since timestamptz, until timestamptz)
returns table (entity_id text, entry_id uuid, currency text, effective_at timestamptz, stream text, record_id text, amount numeric,
  pocketed numeric, names_entity text, names_by text, elsewhere boolean, is_chain boolean, address text, network text, hash text,
  pocket_id text, cancelled_at timestamptz)
language sql stable parallel safe as $$
  select m.*
  from books_internal.outside_moves(entity, since, until) m
  where not exists (
    select from books_internal.transfers_of(m.entity_id, m.entry_id) o where o.currency = m.currency offset 0
  )
$$;
