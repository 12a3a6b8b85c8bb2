-- Lots, disposals, and disposals without a lot.
-- For: realised gains; holdings.
--   psql -f sql/views/19-lots.sql

-- Lots and their uses, for the function that sums them: it reads with the rights of whoever calls it.
create view books_internal.acquired_lots as
select taxpayer, entity_id, lot_id, entry_id, leg, pool, currency, period, acquired_at, units, cost, origin, seq, method
from value.lots;

create view books_internal.lot_uses as
select taxpayer, entity_id, entry_id, use_id, pool, currency, period, kind, lot_entity_id, lot_id, units, cost
from value.uses;

-- The lots of which something is left after all months.
create view books_internal.open_lots as select entity_id, lot_id from value.open_lots;

-- The lots that people stated: those of openings, which may not be approved yet, and imported ones.
create view books_internal.stated_lots as
select entity_id, acquired_on, cost_currency, true as is_external from decide.external_lots
union all
select p.entity_id, (lot ->> 'acquired_on')::date, lot ->> 'cost_currency', false
from decide.proposals p
cross join lateral jsonb_array_elements(p.content::jsonb -> 'lots') as lots (lot)
where p.action = 'open';

-- For each entity the month of an instant, before which every month has ended ('later' for all), and the first id of an entry that takes
-- effect after it.
create function books_internal.months_ended(until timestamptz)
returns table (entity_id text, month text, later_id uuid) language sql stable parallel safe as $$
  select n.entity_id, case when isfinite(until) then to_char(until at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM') else 'later' end,
    books_internal.first_entry_id(until + interval '1 ms')
  from books.entities n
$$;

-- The lots of which something may be left at an instant: all but those used up before its month.
create function books_internal.lots_left_at(until timestamptz)
returns table (entity_id text, lot_id text) language sql stable parallel safe as $$
  select o.entity_id, o.lot_id from books_internal.open_lots o
  union
  select since.lot_entity_id, since.lot_id
  from books_internal.months_ended(until) ending
  cross join lateral (
    select u.lot_entity_id, u.lot_id from books_internal.lot_uses u
    where u.entity_id = ending.entity_id and u.period >= ending.month and u.lot_id is not null
    offset 0
  ) as since
$$;

-- The lots of every taxpayer as they were at an instant: with what entries with an earlier posting date had acquired and used. What
-- months before that of the instant acquired and used has an earlier posting date, and no entry that takes effect later has one; any
-- other is looked up, because an entry of a closed month may be valued later. An externally held lot counts from its acquisition on.
-- only_open: without lots that were used up before the month of the instant, so that not every lot since the beginning is read.
create function books_internal.lots_among(until timestamptz, by text, only_open boolean)
returns table (taxpayer text, currency text, lot_id text, entity_id text, entry_id uuid, acquired_at timestamptz, units numeric,
  cost numeric, units_left numeric, cost_left numeric, origin text, pool text, leg smallint, period text, method text)
language sql stable parallel safe as $$
  with ending as materialized (
    select * from books_internal.months_ended(until)
  ), wanted as (
    select l.* from books_internal.acquired_lots l where not only_open
    union all
    select l.* from books_internal.lots_left_at(until) join books_internal.acquired_lots l using (entity_id, lot_id) where only_open
  ), rest as ( -- what earlier posting dates have left of each lot
    select l.*, l.units - coalesce(used.units, 0) as units_left, l.cost - coalesce(used.cost, 0) as own_left
    from wanted l
    join ending using (entity_id)
    cross join lateral (
      select sum(u.units) as units, sum(u.cost) as cost
      from books_internal.lot_uses u
      join ending e using (entity_id)
      where (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id) and case when u.period < e.month then true
        when u.entry_id >= e.later_id then false else (
        select books_internal.posting_date(n.entity_id, n.original_period, by, n.effective_at, n.posted_at) < until
        from books.entries n where (n.entity_id, n.entry_id) = (u.entity_id, u.entry_id)
      ) end
    ) as used
    where case when l.entry_id is null then l.acquired_at < until or used.units is not null when l.period < ending.month then true
      when l.entry_id >= ending.later_id then false else (
      select books_internal.posting_date(e.entity_id, e.original_period, by, e.effective_at, e.posted_at) < until
      from books.entries e where (e.entity_id, e.entry_id) = (l.entity_id, l.entry_id)
    ) end
  ), pooled as ( -- and of its pool, for the method average
    select r.*, sum(own_left) over whole as pool_cost, sum(units_left) filter (where cost is not null) over whole as pool_units,
      sum(units_left) filter (where cost is not null) over (whole order by acquired_at, seq rows unbounded preceding) as upto
    from rest r
    window whole as (partition by taxpayer, pool, case when pool in ('held', 'external', 'in-transit') then '' else entity_id end, currency)
  )
  select p.taxpayer, p.currency, p.lot_id, p.entity_id, p.entry_id, p.acquired_at, trim_scale(p.units), trim_scale(p.cost),
    trim_scale(p.units_left), trim_scale(case
      when p.cost is null then null
      when p.method <> 'average' or p.pool = 'in-transit' then p.own_left
      when p.units_left = 0 then 0
      else round(round(p.pool_cost * p.upto, 40) / p.pool_units, 18) - round(round(p.pool_cost * (p.upto - p.units_left), 40) / p.pool_units, 18)
    end), p.origin, p.pool, p.leg, p.period, p.method
  from pooled p
$$;

create view books.lots as
select taxpayer, currency, lot_id, entity_id, entry_id, acquired_at, units, cost, units_left, cost_left, origin, pool, leg, period, method
from books_internal.lots_among('infinity', 'posted_at', false);
comment on view books.lots is
  'One row per lot: units acquired together, per taxpayer and asset, with what is left of them now.';
comment on column books.lots.lot_id is 'Lot.';
comment on column books.lots.entity_id is 'Entity that acquired it.';
comment on column books.lots.entry_id is 'Entry that brought the lot; null for an externally held lot.';
comment on column books.lots.acquired_at is 'When it was acquired.';
comment on column books.lots.units is 'Units acquired.';
comment on column books.lots.cost is 'Acquisition cost in the reporting currency; null if not known.';
comment on column books.lots.units_left is 'Units not disposed of yet.';
comment on column books.lots.cost_left is 'Cost of units_left in the reporting currency; with method average, its share of the pool''s cost. Null if not known.';
comment on column books.lots.origin is 'How it was acquired: exchange, received, opening, reward, borrowed, refunded, sent, returned, transferred, allotted, imported.';
comment on column books.lots.pool is 'held for units on the platform, external for externally held lots, in-transit between two of our own accounts; pockets, trading or earn where each place has its own lots.';
comment on column books.lots.period is 'Month in which the lot counts.';
comment on column books.lots.method is 'Cost method: fifo, average, hifo or specific.';

create view books.disposals as
select u.taxpayer, u.currency, u.use_id as disposal_id, u.entity_id, u.entry_id, u.leg, u.used_at as disposed_at, u.lot_id, u.acquired_at,
  (u.used_at at time zone coalesce(n.timezone, 'UTC'))::date - (u.acquired_at at time zone coalesce(n.timezone, 'UTC'))::date as held_days,
  trim_scale(u.units) as units, trim_scale(u.proceeds) as proceeds, trim_scale(u.cost) as cost, trim_scale(u.proceeds - u.cost) as gain,
  trim_scale(u.fee_in_proceeds) as fee_in_proceeds, u.exchanged_for, u.method, u.period, u.lot_entity_id
from value.uses u
left join books.entities n on n.entity_id = u.entity_id
where u.exchanged_for is not null;
comment on view books.disposals is
  'One row per fraction of a lot disposed of: gain = proceeds - cost. A later reversal is a row with the other sign.';
comment on column books.disposals.disposal_id is 'Disposal.';
comment on column books.disposals.entity_id is 'Entity that disposed of it.';
comment on column books.disposals.disposed_at is 'When it was disposed of.';
comment on column books.disposals.lot_id is 'Lot that was used; null for a disposal without a lot.';
comment on column books.disposals.acquired_at is 'When that lot was acquired; null without a lot.';
comment on column books.disposals.held_days is 'Whole days from acquisition to disposal, by the dates of the books'' timezone, as in realised_gains.csv; null without a lot.';
comment on column books.disposals.units is 'Units disposed of; negative in a reversal.';
comment on column books.disposals.proceeds is 'Proceeds in the reporting currency, after fees deducted from them; null if not known.';
comment on column books.disposals.cost is 'Cost of the units in the reporting currency; null if not known.';
comment on column books.disposals.gain is 'Gain (positive) or loss (negative) in the reporting currency; null if cost or proceeds are not known.';
comment on column books.disposals.fee_in_proceeds is 'Fee deducted from the proceeds, in the reporting currency.';
comment on column books.disposals.exchanged_for is 'Units and currency received in an exchange; otherwise where the units went, or undone for a reversal.';
comment on column books.disposals.method is 'Cost method: fifo, average, hifo or specific.';
comment on column books.disposals.lot_entity_id is 'Entity that acquired the lot.';

create view books.external_lots as
select entity_id, lot_number, currency, units, cost, cost_currency, acquired_on, file_name, file_sha256, line, evidence_name,
  evidence_sha256, reason, by_name as imported_by, at as imported_at
from decide.external_lots;
comment on view books.external_lots is
  'One row per externally held lot that a person imported. Each is also in books.lots, in the pool external.';
comment on column books.external_lots.lot_number is 'Number of the lot; its lot_id is external/<lot_number>.';
comment on column books.external_lots.units is 'Units held.';
comment on column books.external_lots.cost is 'Acquisition cost, in cost_currency.';
comment on column books.external_lots.cost_currency is 'Currency of the cost.';
comment on column books.external_lots.acquired_on is 'Day of acquisition.';
comment on column books.external_lots.file_sha256 is 'SHA-256 of the imported file, in hex.';
comment on column books.external_lots.line is 'Line of that file.';
comment on column books.external_lots.reason is 'Reason given for the import.';

create view books.disposals_without_lot as
select taxpayer, currency, pool, entity_id, entry_id, leg, used_at, period, trim_scale(units) as units
from value.uses
where lot_id is null;
comment on view books.disposals_without_lot is
  'One row per disposal without a lot: units that left though no lot had brought them.';
comment on column books.disposals_without_lot.pool is 'held (on the platform), external (externally held), in-transit (between two of our own accounts), or pockets, trading, earn.';
comment on column books.disposals_without_lot.used_at is 'When they left.';
comment on column books.disposals_without_lot.units is 'Units without a lot; negative where a reversal takes that back.';

-- The choices in force: for each disposal those of the newest file that names it.
create view books_internal.chosen_lots as
select c.entity_id, c.stream, c.record_id, c.currency, c.choice_number, c.lot_entity_id, c.lot_id, c.acquired_at, c.units
from decide.lot_choices c
where not exists (
  select from decide.lot_choices later
  where (later.entity_id, later.stream, later.record_id, later.currency) = (c.entity_id, c.stream, c.record_id, c.currency)
    and later.choice_number > c.choice_number and later.proposal_id <> c.proposal_id
);

create view books.lot_choices as
select entity_id, stream, record_id, currency, lot_entity_id, lot_id, trim_scale(units) as units, choice_number, exists (
    select from books_internal.chosen_lots f where (f.entity_id, f.choice_number) = (c.entity_id, c.choice_number)
  ) as is_in_force, file_name, file_sha256, line, reason, by_name as chosen_by, at as chosen_at, proposal_id
from decide.lot_choices c;
comment on view books.lot_choices is
  'One row per lot that a person named for a disposal (cost method specific).';
comment on column books.lot_choices.record_id is 'Record of the disposal.';
comment on column books.lot_choices.currency is 'Asset disposed of.';
comment on column books.lot_choices.lot_entity_id is 'Entity that acquired the lot.';
comment on column books.lot_choices.lot_id is 'Lot.';
comment on column books.lot_choices.units is 'Units of the lot that the disposal uses.';
comment on column books.lot_choices.choice_number is 'Number of the choice.';
comment on column books.lot_choices.is_in_force is 'Whether no later file names the disposal.';
comment on column books.lot_choices.file_name is 'File that named it.';
comment on column books.lot_choices.file_sha256 is 'SHA-256 of the file.';
comment on column books.lot_choices.line is 'Line in the file.';
comment on column books.lot_choices.reason is 'Why they were named.';
comment on column books.lot_choices.chosen_by is 'Who named the lot.';
comment on column books.lot_choices.chosen_at is 'When another person approved it.';
