-- The value of each account in a period, and the lines behind it.
-- For: the trial balance in value.
--   psql -f sql/views/20-value-totals.sql

-- The value of each account's lines in a period, cut as moves and totals_counted cut. opening and closing are sums of cents,
-- which are the exact figure rounded once; prior_period, debit and credit are exact sums rounded once, and rounding is the rest
-- of the cents of the same lines: opening + prior_period + debit - credit + rounding = closing.
-- unvalued: lines up to the end without a value; missing: the amount that they leave open, so that closing and missing of an
-- entity sum to zero. Income and expenses of earlier fiscal years are on equity:retained-earnings, as in totals_carried; it is
-- a sum of cents, and so has no fault. fault: closing less its exact figure, 0 if the cents are that figure, rounded once, and those of
-- income and expenses once in each fiscal year, apart from what was valued after the period, because another entity of the taxpayer had
-- closed it: its cents begin and end at amounts of that later month; rounding has none, and neither has conversion of other currencies.
-- Whole months are read from the monthly summary, other periods line by line.
create function books_internal.value_totals(since timestamptz, until timestamptz, by text)
returns table (entity_id text, account text, currency text, opening numeric, prior_period numeric, debit numeric,
  credit numeric, closing numeric, unvalued bigint, fault numeric, rounding numeric, missing numeric, exact numeric)
language sql stable parallel safe as $$
  with year as materialized ( -- how the period lies in the months and the fiscal year of each entity; infinite ones sort before and after all months
    select n.entity_id, n.timezone, n.fiscal_year_start, month.begins_at,
      coalesce(to_char(since at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM'), '') as first_month, fiscal_year.starts_at,
      coalesce(to_char(fiscal_year.starts_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM'), '') as year_month,
      by = 'posted_at' and since = month.begins_at and until = month.ends_at as is_whole,
      coalesce(to_char(until at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM'), 'later') as end_month,
      coalesce(to_char((until - interval '1 us') at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM'), 'later') as last_month
    from books.entities n
    cross join lateral (select books_internal.fiscal_year_start(since, n.timezone, n.fiscal_year_start) as starts_at) as fiscal_year
    cross join lateral (
      select books_internal.local_start(date_trunc('month', since at time zone coalesce(n.timezone, 'UTC')), coalesce(n.timezone, 'UTC')) as begins_at,
        books_internal.local_start(date_trunc('month', until at time zone coalesce(n.timezone, 'UTC')), coalesce(n.timezone, 'UTC')) as ends_at
    ) as month
  ), counted as ( -- entries whose lines may be of the months from that of `since` on
    select e.entity_id, e.entry_id, e.effective_at, e.counted_at from books_internal.entries_within(since, until, by) e
    where not (select bool_and(is_whole) from year)
    union all
    select e.entity_id, e.entry_id, e.effective_at, e.counted_at
    from year y
    join lateral books_internal.entries_within(y.begins_at, since, by) e using (entity_id)
    where y.begins_at < since
    union all -- those of closed months that were valued later
    select e.entity_id, e.entry_id, e.effective_at, e.counted_at
    from year y
    join lateral books_internal.entries_within('-infinity', y.begins_at, by) e using (entity_id)
    where not y.is_whole and case when by = 'posted_at' then exists ( -- not looked at for a whole month: it reads all months of an entity
        select from books_internal.value_monthly m where m.entity_id = y.entity_id and m.booked_in < m.period
      ) else exists (select from books_internal.sealed_entities s where s.entity_id = y.entity_id) end
  ), line as ( -- periods that are no whole months
    select v.entity_id, case when books_internal.is_of_year(v.account) and counted.counted_at < y.starts_at then 'equity:retained-earnings' else v.account end
      as account, v.currency, v.value, v.exact, v.value_currency, counted.effective_at, counted.counted_at,
      case when books_internal.is_of_year(v.account) then books_internal.fiscal_year_of(
        to_char(counted.counted_at at time zone coalesce(y.timezone, 'UTC'), 'YYYY-MM'), y.fiscal_year_start) end as fiscal_year,
      case when v.account = 'expenses:rounding' then v.value else v.exact end as full_value,
      case when v.value is null then (
        select u.missing from books_internal.unvalued u where (u.entity_id, u.entry_id, u.line) = (v.entity_id, v.entry_id, v.line)
      ) end as missing,
      case when v.period > y.last_month then v.period end as valued_after
    from counted
    join books_internal.value_lines v using (entity_id, entry_id)
    join year y using (entity_id)
    where v.period >= y.first_month and not y.is_whole
  ), part as ( -- months and lines in one form
    select m.entity_id, case when books_internal.is_of_year(m.account) and m.booked_in < y.year_month then 'equity:retained-earnings' else m.account end as account,
      m.currency, m.currency <> m.value_currency as is_foreign, case when m.booked_in < y.first_month then m.value end as opening,
      case when m.booked_in >= y.first_month and m.effective_in < y.first_month then coalesce(m.debit, 0) - coalesce(m.credit, 0) end as prior_period,
      case when m.effective_in >= y.first_month then m.debit end as debit, case when m.effective_in >= y.first_month then m.credit end as credit,
      case when m.booked_in >= y.first_month then m.value end as moved, m.unvalued, m.exact, m.missing,
      case when books_internal.is_of_year(m.account) then books_internal.fiscal_year_of(m.booked_in, y.fiscal_year_start) end as fiscal_year,
      case when m.period > y.last_month then m.period end as valued_after
    from books_internal.value_monthly m -- whole months
    join year y using (entity_id)
    where m.period < y.first_month or (y.is_whole and m.booked_in < y.end_month)
    union all
    select entity_id, account, currency, bool_or(currency <> value_currency), sum(value) filter (where counted_at < since),
      sum(full_value) filter (where counted_at >= since and effective_at < since),
      sum(full_value) filter (where effective_at >= since and full_value > 0),
      -sum(full_value) filter (where effective_at >= since and full_value < 0),
      sum(value) filter (where counted_at >= since), count(*) filter (where value is null), sum(exact), sum(missing), fiscal_year, valued_after
    from line
    group by entity_id, account, currency, fiscal_year, valued_after
  )
  select t.entity_id, t.account, t.currency, t.opening, t.prior_period, t.debit, t.credit, t.opening + t.moved, t.unvalued,
    case when t.account in ('expenses:rounding', 'equity:retained-earnings') or (t.account = 'equity:conversion' and t.is_foreign)
      or abs(t.opening + t.moved - t.exact) <= 0.005 * t.roundings then 0 else t.opening + t.moved - t.exact end,
    t.moved - t.prior_period - t.debit + t.credit, t.missing, t.exact
  from (
    select entity_id, account, currency, bool_or(is_foreign) as is_foreign, coalesce(sum(opening), 0) as opening,
      coalesce(books_internal.cents(sum(prior_period)), 0) as prior_period, coalesce(books_internal.cents(sum(debit)), 0) as debit,
      coalesce(books_internal.cents(sum(credit)), 0) as credit, coalesce(sum(moved), 0) as moved, sum(unvalued)::bigint as unvalued,
      coalesce(sum(missing), 0) as missing, coalesce(sum(exact), 0) as exact, greatest(count(distinct fiscal_year), 1)
        + 2 * count(distinct (fiscal_year, valued_after)) filter (where valued_after is not null) as roundings
    from part
    group by entity_id, account, currency
  ) as t
$$;

-- The lines of value of the entries with a posting date in [since, until). Those on time are found by the time in their ids, so that a month
-- costs a month, whatever the history.
create function books_internal.value_lines_within(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, line smallint, leg smallint, account text, currency text, units numeric, value numeric, exact numeric,
  value_currency text, rule text, fee_in_cost numeric, fee_in_proceeds numeric, fee_expensed numeric, effective_at timestamptz,
  counted_at timestamptz, kind text, stream text, record_id text, original_period text, is_on_time boolean)
language sql stable parallel safe as $$
  select v.entity_id, v.entry_id, v.line, v.leg, v.account, v.currency, v.units, v.value, v.exact, v.value_currency, v.rule,
    v.fee_in_cost, v.fee_in_proceeds, v.fee_expensed, own.effective_at, own.counted_at, own.kind, own.stream, own.record_id, own.original_period, true
  from books_internal.on_time_within(since, until) own
  join books_internal.value_lines v using (entity_id, entry_id)
  where v.entry_id >= books_internal.first_entry_id(since) and v.entry_id < books_internal.first_entry_id(until + interval '1 ms')
  union all
  select v.entity_id, v.entry_id, v.line, v.leg, v.account, v.currency, v.units, v.value, v.exact, v.value_currency, v.rule,
    v.fee_in_cost, v.fee_in_proceeds, v.fee_expensed, late.effective_at, late.counted_at, late.kind, late.stream, late.record_id, late.original_period, false
  from books_internal.late_within(since, until, by) late
  join books_internal.value_lines v using (entity_id, entry_id)
$$;

-- What the lines of value of an entry debit, to the cent, and how many have no value; read as leg_counts reads legs. debit_value is null
-- if no line has a value.
create function books_internal.entry_debits(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, debit_value numeric, unvalued bigint) language sql stable parallel safe as $$
  select v.entity_id, v.entry_id, sum(greatest(v.value, 0)) filter (where v.value is not null), count(*) filter (where v.value is null)
  from books_internal.value_lines v
  where v.entry_id >= books_internal.first_entry_id(since) and v.entry_id < books_internal.first_entry_id(until + interval '1 ms')
  group by v.entity_id, v.entry_id
  union all
  select v.entity_id, v.entry_id, sum(greatest(v.value, 0)) filter (where v.value is not null), count(*) filter (where v.value is null)
  from books_internal.late_within(since, until, by) late
  join books_internal.value_lines v using (entity_id, entry_id)
  where late.entry_id < books_internal.first_entry_id(since)
  group by v.entity_id, v.entry_id
$$;

-- Every line of value with a posting date in [since, until), with the account across its leg, or null for lines without units.
-- value is to the cent; exact is not, except for rounding, which has only cents.
create function books_internal.period_value_lines(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, line smallint, leg smallint, account text, across text, currency text,
  units numeric, value numeric, effective_at timestamptz, counted_at timestamptz, is_late boolean, is_undone boolean, kind text, stream text,
  record_id text, original_period text, rule text, exact numeric)
language sql stable parallel safe as $$
  select v.entity_id, v.entry_id, v.line, v.leg, v.account, case when t.debit = v.account then t.credit else t.debit end,
    v.currency, trim_scale(v.units), trim_scale(v.value), v.effective_at, v.counted_at, v.effective_at < since, v.kind = 'reversal', v.kind,
    v.stream, v.record_id, v.original_period, v.rule, trim_scale(case when v.account = 'expenses:rounding' then v.value else v.exact end)
  from books_internal.value_lines_within(since, until, by) v
  left join books.transfers t using (entity_id, entry_id, leg)
$$;

-- The disposals of entries with a posting date in [since, until), found by the time in the ids of the entries. original_period and counted_at
-- are those of the entry.
create function books_internal.disposals_within(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, leg smallint, taxpayer text, currency text, disposal_id text, disposed_at timestamptz, lot_entity_id text,
  lot_id text, acquired_at timestamptz, units numeric, proceeds numeric, cost numeric, gain numeric, fee_in_proceeds numeric, exchanged_for text,
  method text, stream text, record_id text, original_period text, counted_at timestamptz)
language sql stable parallel safe as $$
  select d.entity_id, d.entry_id, d.leg, d.taxpayer, d.currency, d.disposal_id, d.disposed_at, d.lot_entity_id, d.lot_id, d.acquired_at, d.units,
    d.proceeds, d.cost, d.gain, d.fee_in_proceeds, d.exchanged_for, d.method, own.stream, own.record_id, own.original_period, own.counted_at
  from books_internal.on_time_within(since, until) own
  join books.disposals d using (entity_id, entry_id)
  where d.entry_id >= books_internal.first_entry_id(since) and d.entry_id < books_internal.first_entry_id(until + interval '1 ms')
  union all
  select d.entity_id, d.entry_id, d.leg, d.taxpayer, d.currency, d.disposal_id, d.disposed_at, d.lot_entity_id, d.lot_id, d.acquired_at, d.units,
    d.proceeds, d.cost, d.gain, d.fee_in_proceeds, d.exchanged_for, d.method, late.stream, late.record_id, late.original_period, late.counted_at
  from books_internal.late_within(since, until, by) late
  cross join lateral (
    select * from books.disposals k where (k.entity_id, k.entry_id) = (late.entity_id, late.entry_id) offset 0
  ) as d
$$;

-- The rates and prices that the values of a period rest on: the rows of prices_used.csv. Nothing tells the planner how many lines
-- share a rate; it would expect one, and join line by line, or sort them all to merge or to group, so it may not. Lines are found by the
-- time in the ids of their entries.
create function books_internal.prices_used(since timestamptz, until timestamptz, by text, chosen text)
returns table (entity_id text, currency text, value_currency text, rule text, source_type text, source text, path text,
  rate_currency text, rate numeric, rate_at timestamptz, age_seconds_min integer, age_seconds_max integer, entries bigint, lines bigint,
  unvalued bigint, units numeric, value_at_rate numeric, debit_value numeric, credit_value numeric)
language sql stable parallel safe set enable_nestloop = off set enable_mergejoin = off set enable_sort = off as $$
  with line as (
    select v.*, own.effective_at, v.rule = 'rate' and v.source <> '' as is_rated
    from books_internal.on_time_within(prices_used.since, prices_used.until) own
    join books_internal.value_lines v using (entity_id, entry_id)
    where v.entry_id >= books_internal.first_entry_id(prices_used.since)
      and v.entry_id < books_internal.first_entry_id(prices_used.until + interval '1 ms') and books_internal.is_chosen(own.entity_id, prices_used.chosen)
    union all
    select v.*, late.effective_at, v.rule = 'rate' and v.source <> ''
    from books_internal.late_within(prices_used.since, prices_used.until, prices_used.by) late
    cross join lateral (
      select * from books_internal.value_lines l where (l.entity_id, l.entry_id) = (late.entity_id, late.entry_id) offset 0
    ) as v
    where books_internal.is_chosen(late.entity_id, prices_used.chosen)
  ), used as materialized ( -- the seconds within which the market rates used were received
    select min(effective_at - (age_seconds + 1) * interval '1 s') as first_at, max(effective_at - age_seconds * interval '1 s') as last_at
    from line
    where is_rated
  ), price as materialized (
    select p.reporting, p.currency, p.record_id, p.applies_from as rate_at, round(p.reporting_units, 40) / p.currency_units as rate,
      max(p.request_id) as request_id
    from used u
    cross join lateral books_internal.prices_between(u.first_at, u.last_at) p
    where p.record_id in (select distinct source from line where is_rated) and p.reporting in (select distinct value_currency from line)
    group by 1, 2, 3, 4, 5
  ), leg as ( -- what a leg is valued at: its fee, or its side outside our own accounts, which bear no fees
    select entity_id, entry_id, leg, currency, value_currency, rule, source, is_rated, max(abs(units)) as units, coalesce(max(abs(fee)),
      max(abs(exact)) filter (where account not like 'assets:%' and account not like 'liabilities:%'), max(abs(exact))) as value,
      bool_or(account = 'equity:conversion') as is_exchange, min(line) as first_line
    from line
    where leg is not null and rule not in ('carried', 'lot-cost')
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ), rated as ( -- the market rate that gives the value of the leg
    select distinct on (l.entity_id, l.entry_id, l.leg) l.entity_id, l.entry_id, l.leg, l.source, l.is_exchange, l.currency as rate_currency,
      p.rate, p.rate_at
    from leg l
    join price p on (p.record_id, p.currency, p.reporting) = (l.source, l.currency, l.value_currency)
    where l.is_rated and abs(l.units * p.rate - l.value) <= 0.000000000000001
    order by l.entity_id, l.entry_id, l.leg, p.rate_at desc, p.request_id desc
  ), other_side as ( -- of an exchange: its rate gives the value of both sides
    select distinct on (entity_id, entry_id, source) entity_id, entry_id, source, rate_currency, rate, rate_at
    from rated
    where is_exchange
    order by entity_id, entry_id, source, leg
  ), valued as (
    select l.entity_id, l.entry_id, l.leg, l.rule, l.source, l.first_line, l.units, l.value, case when l.is_rated then coalesce(r.rate_currency, o.rate_currency)
        when l.source <> '' then l.currency end as rate_currency,
      coalesce(r.rate, o.rate) as rate, coalesce(r.rate_at, o.rate_at) as rate_at
    from leg l
    left join rated r using (entity_id, entry_id, leg)
    left join other_side o on (o.entity_id, o.entry_id, o.source) = (l.entity_id, l.entry_id, l.source)
  ), side as ( -- units and value of a leg once, on the first of its lines with a price
    select l.*, v.rate_currency, v.rate, v.rate_at, l.line = v.first_line as is_first,
      v.units as leg_units, v.value as leg_value
    from line l
    join valued v using (entity_id, entry_id, leg, rule, source)
    where l.rule not in ('carried', 'lot-cost')
    union all
    select l.*, null, null, null, false, null, null
    from line l
    where leg is null or l.rule in ('carried', 'lot-cost')
  ), counted as ( -- of one entry, so that entries need no sort to be counted
    select entity_id, entry_id, currency, value_currency, rule, case when rule <> 'reporting-currency' then nullif(source, '') end as source,
      source = '' as is_unpriced, path, rate_currency, rate, rate_at, min(effective_at) as effective_at,
      min(age_seconds) as age_seconds_min, max(age_seconds) as age_seconds_max, count(*) as lines, count(*) filter (where value is null) as unvalued,
      sum(leg_units) filter (where is_first) as units, sum(leg_value) filter (where is_first) as value_at_rate,
      sum(value) filter (where value > 0) as debit_value, -sum(value) filter (where value < 0) as credit_value
    from side
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  ), total as (
    select entity_id, currency, value_currency, rule, source, path, rate_currency, rate,
      case when source is not null then coalesce(rate_at, min(effective_at)) end as rate_at, min(age_seconds_min) as age_seconds_min,
      max(age_seconds_max) as age_seconds_max, count(*) as entries, sum(lines)::bigint as lines, sum(unvalued)::bigint as unvalued, sum(units) as units,
      sum(value_at_rate) as value_at_rate, coalesce(sum(debit_value), 0) as debit_value, coalesce(sum(credit_value), 0) as credit_value
    from counted
    group by entity_id, currency, value_currency, rule, source, is_unpriced, path, rate_currency, rate, rate_at
  )
  select entity_id, currency, value_currency, rule, case
      when rule in ('rate', 'own-cost', 'cost-euro', 'converted-amount', 'opening-file') and source is not null then case split_part(source, ' ', 1)
        when 'ecb' then 'official' when 'rates' then 'rate list' when 'chart' then 'chart' else 'record'
      end
    end as source_type, source, path, rate_currency,
    trim_scale(books_internal.price_digits(case when source is not null then coalesce(rate, round(value_at_rate, 60) / nullif(units, 0)) end)) as rate, rate_at, age_seconds_min,
    age_seconds_max, entries, lines, unvalued, trim_scale(units) as units, trim_scale(value_at_rate) as value_at_rate,
    round(debit_value, 2) as debit_value, round(credit_value, 2) as credit_value
  from total
$$;

-- What each asset is worth at the end of a period, for holdings.csv and valuation.csv: its carrying amount, and its market value by the
-- last rate of the 24 hours before as_of. is_valued: some of it is held, or has a cost; otherwise it is withheld tax alone.
create function books_internal.valued_holdings(since timestamptz, until timestamptz, by text, chosen text)
returns table (entity_id text, currency text, as_of timestamptz, units numeric, is_valued boolean, value_currency text, cost numeric,
  unvalued bigint, unit_price numeric, market_value numeric, lower_value numeric, market_source text, market_at timestamptz,
  rounding_value numeric)
language sql stable parallel safe as $$
  with unit as ( -- the units of each asset
    select entity_id, currency, coalesce(sum(debit - credit) filter (where books_internal.is_holding(account)), 0) as units,
      bool_or(debit <> credit) as has_units, coalesce(bool_or(debit <> credit) filter (where books_internal.is_holding(account)), false) as is_held
    from books_internal.totals_counted(valued_holdings.until, valued_holdings.by)
    where account like 'assets:%' and books_internal.is_chosen(entity_id, valued_holdings.chosen)
    group by entity_id, currency
  ), cost as ( -- its carrying amount
    select entity_id, currency, sum(closing) as carried, sum(unvalued)::bigint as unvalued, books_internal.cents(sum(exact)) as exact
    from books_internal.value_totals(valued_holdings.since, valued_holdings.until, valued_holdings.by)
    where books_internal.is_holding(account) and books_internal.is_chosen(entity_id, valued_holdings.chosen)
    group by entity_id, currency
  ), proved as ( -- up to when each list is proved
    select entity_id, min(coalesce(covered_to, 'infinity')) as to_instant
    from books.coverage
    group by entity_id, stream, scope
  ), seen as ( -- when each entity is priced: at the end of the period, or up to when it is proved
    select n.entity_id, n.currency as value_currency, least(min(p.to_instant), valued_holdings.until) as as_of
    from books.entities n
    left join proved p using (entity_id)
    group by n.entity_id, n.currency
  ), rate as materialized (
    select s.as_of, r.*
    from (select distinct as_of from seen) as s
    cross join lateral books_internal.market_rates(s.as_of) r
  ), priced as (
    select u.*, u.is_held or coalesce(c.carried <> 0, false) as is_valued, n.value_currency, n.as_of, c.unvalued, case when c.unvalued = 0 then round(c.carried, 2) end as cost,
      case when c.unvalued = 0 then round(c.carried - c.exact, 2) end as rounding_value,
      case when u.currency = n.value_currency then 1 else books_internal.price_digits(round(r.reporting_units, 60) / r.currency_units) end as unit_price,
      case when u.currency = n.value_currency then books_internal.cents(u.units) else round(u.units * r.reporting_units / r.currency_units, 2) end
        as market_value,
      r.record_id as market_source, r.applies_from as market_at
    from unit u
    left join seen n using (entity_id)
    left join cost c using (entity_id, currency)
    left join rate r on (r.as_of, r.currency, r.reporting) = (n.as_of, u.currency, n.value_currency)
      and u.currency <> n.value_currency
    where u.has_units or c.carried <> 0
  )
  select entity_id, currency, as_of, units, is_valued, value_currency, cost, unvalued, unit_price, market_value,
    case when cost is not null and market_value is not null then least(cost, market_value) end, market_source, market_at, rounding_value
  from priced
$$;
