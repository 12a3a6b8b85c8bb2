-- migrate:up
-- The value layer: what entries come to in the reporting currency, over the units that stay as booked, and the lots behind it.
-- All of it is derived and can be made again, except closed months: they stay as they were.
create schema value;

-- A line of an entry, debit positive: two for each leg, then those that only value has (gains, rounding …). exact has up to 18
-- decimals; value is to the cent, so that an account's values sum to its exact value, rounded once. Null: not known.
create table value.postings (
  entity_id text not null,
  entry_id uuid not null,
  line smallint not null,
  taxpayer text not null,
  leg smallint,
  account text not null,
  currency text not null,
  units numeric not null,
  exact numeric,
  value numeric,
  value_currency text not null,
  period text not null,
  rule text not null,
  source text not null,
  path text,
  age_seconds integer,
  fee_in_cost numeric,
  fee_in_proceeds numeric,
  fee_expensed numeric,
  spread numeric,
  memo text,
  primary key (entity_id, entry_id, line)
);
create index postings_by_month on value.postings (taxpayer, period);
-- Lines without a value are few, and every report in money asks for them.
create index postings_unvalued on value.postings (entity_id, entry_id) where value is null;

-- Units acquired together, at what cost, in the order of acquired_at. pool: held on the platform, external (externally held), or
-- in-transit between two of our own accounts; pockets, trading, earn: the places of the entity, where each has a pool of its
-- own. A lot imported by a person has no entry.
create table value.lots (
  entity_id text not null,
  lot_id text not null,
  taxpayer text not null,
  pool text not null check (pool in ('held', 'external', 'in-transit', 'pockets', 'trading', 'earn')),
  currency text not null,
  entry_id uuid,
  leg smallint,
  period text not null,
  acquired_at timestamptz not null,
  units numeric not null check (units > 0),
  cost numeric,
  origin text not null,
  seq bigint not null,
  method text not null,
  primary key (entity_id, lot_id)
);
create index lots_by_asset on value.lots (taxpayer, currency, period);
create index lots_by_entry on value.lots (entity_id, entry_id);
create index lots_without_cost on value.lots (taxpayer, currency) where cost is null;
create index lots_in_order on value.lots (taxpayer, seq);

-- What became of lots, fraction by fraction: disposals, moves between the pools, reversals. Without a lot: units that no lot
-- had brought.
create table value.uses (
  entity_id text not null,
  use_id text not null,
  taxpayer text not null,
  pool text not null check (pool in ('held', 'external', 'in-transit', 'pockets', 'trading', 'earn')),
  currency text not null,
  entry_id uuid not null,
  leg smallint not null,
  period text not null,
  used_at timestamptz not null,
  kind text not null check (kind in ('disposal', 'moved', 'undone', 'allotted')),
  lot_entity_id text,
  lot_id text,
  acquired_at timestamptz,
  units numeric not null,
  cost numeric,
  proceeds numeric,
  fee_in_proceeds numeric,
  exchanged_for text,
  method text not null,
  primary key (entity_id, use_id)
);
create index uses_by_asset on value.uses (taxpayer, currency, period);
create index uses_by_entry on value.uses (entity_id, entry_id);
create index uses_by_lot on value.uses (lot_entity_id, lot_id);
create index uses_without_lot on value.uses (taxpayer, currency) where lot_id is null;
create index uses_by_month on value.uses (entity_id, period);

-- What has no value, or no lot, and why.
create table value.findings (
  entity_id text not null,
  entry_id uuid not null,
  finding integer not null,
  taxpayer text not null,
  period text not null,
  leg smallint,
  kind text not null,
  severity text not null check (severity in ('finding', 'note')),
  currency text not null,
  units numeric not null,
  detail text not null,
  primary key (entity_id, entry_id, finding)
);

-- What each month was derived from; if that changes, the month and all after it are derived again. A closed month stays as it
-- is: of it only the entries count, since an entry that it lacks counts in the month after. last_at: when the last of its entries
-- takes effect, after which no rate matters. counterparties: a digest of the counterparty types of its postings.
create table value.months (
  entity_id text not null,
  period text not null,
  taxpayer text not null,
  entries integer not null,
  last_at timestamptz not null,
  counterparties text not null,
  fingerprint text not null,
  primary key (entity_id, period)
);

-- How far the sources of an entity's months were compared with them: the last entry, the last pair of own transfers and the last
-- request for its address book counted, a digest of what else decides counterparty types, and how many months it has. A night looks
-- only at what came after.
create table value.sources (
  entity_id text primary key,
  entry_number bigint not null,
  pair_position bigint not null,
  book_request bigint not null,
  counterparties text not null,
  months integer not null
);

-- A summary beside the lines: what those of an account sum to in a month, so that a report over whole months reads months and not
-- lines. booked_in: the month in which their entries are posted, which is earlier than period if a closed month's entry was valued
-- later. effective_in: the month in which they took effect, which is earlier than booked_in if it was closed by then. debit, credit:
-- the exact figures by sign, for rounding the cents, which are all that it has. Whoever derives a month writes it in the same
-- transaction; it can be dropped and filled again from value.monthly_sums.
create table value.monthly (
  entity_id text not null,
  period text not null,
  booked_in text not null,
  effective_in text not null,
  taxpayer text not null,
  account text not null,
  currency text not null,
  value_currency text not null,
  units numeric not null,
  exact numeric,
  value numeric,
  debit numeric,
  credit numeric,
  unvalued bigint not null,
  missing numeric not null,
  primary key (entity_id, period, booked_in, effective_in, taxpayer, account, currency, value_currency)
);

-- The amount that the unvalued lines of an entry leave open: what they must sum to for it to balance, on the first of them.
create view value.unvalued as
select o.entity_id, o.entry_id, o.line, (
    select -coalesce(sum(p.value), 0) from value.postings p where (p.entity_id, p.entry_id) = (o.entity_id, o.entry_id)
  ) as missing
from (
  select entity_id, entry_id, min(line) as line from value.postings where value is null group by entity_id, entry_id
) as o;

-- What value.monthly must hold.
create view value.monthly_sums as
select p.entity_id, p.period, e.period as booked_in, coalesce(e.original_period, e.period) as effective_in, p.taxpayer, p.account,
  p.currency, p.value_currency, sum(p.units) as units, sum(p.exact) as exact, sum(p.value) as value,
  sum(p.full_value) filter (where p.full_value > 0) as debit, -sum(p.full_value) filter (where p.full_value < 0) as credit,
  count(*) filter (where p.value is null) as unvalued, coalesce(sum(p.missing), 0) as missing
from (
  select v.*, case when v.account = 'expenses:rounding' then v.value else v.exact end as full_value, case when v.value is null then (
      select u.missing from value.unvalued u where (u.entity_id, u.entry_id, u.line) = (v.entity_id, v.entry_id, v.line)
    ) end as missing
  from value.postings v
) as p
join ledger.entries e using (entity_id, entry_id)
group by 1, 2, 3, 4, 5, 6, 7, 8;

-- The lots of which units or cost are left after all months, so that a night reads those and not every lot since the beginning.
-- period: that of the lot. Whoever derives a month writes it in the same transaction; it can be dropped and filled again from
-- value.lots_left('later').
create table value.open_lots (
  entity_id text not null,
  lot_id text not null,
  taxpayer text not null,
  period text not null,
  primary key (entity_id, lot_id)
);
create index open_lots_by_month on value.open_lots (taxpayer, period);

-- The lots of the months before one, or before 'later', of which something is left at its start: what value.open_lots must hold. Under
-- the method average a cost may be left of a lot without units.
create function value.lots_left(before_month text)
returns table (entity_id text, lot_id text, taxpayer text, period text) language sql stable parallel safe as $$
  select l.entity_id, l.lot_id, l.taxpayer, l.period
  from value.lots l
  cross join lateral (
    select coalesce(sum(u.units), 0) as units, coalesce(sum(u.cost), 0) as cost
    from value.uses u where (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id) and u.period < before_month
  ) as used
  where l.period < before_month and (l.units <> used.units or l.cost <> used.cost)
$$;

-- Renews the planner's statistics for the role that derives values: a month that was just derived is unknown to the planner, and a
-- report over it would take minutes.
create function value.renew_statistics(share double precision) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select run.renew_grown(array['land.rates', 'value.postings', 'value.monthly', 'value.lots', 'value.open_lots', 'value.uses',
    'value.findings']::regclass[], share)
$$;
revoke execute on function value.renew_statistics(double precision) from public;

-- migrate:down
drop schema value cascade;
