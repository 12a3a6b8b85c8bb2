-- The value of each account in a period, and the lines behind it.
-- For: the trial balance in value.
--   psql -f sql/views/20-value-totals.sql

-- The value of each account's lines in a period, cut as moves and totals_counted cut. opening and closing are sums of cents,
-- which are the exact figure rounded once; prior_period, debit and credit are exact sums rounded once, and rounding is the rest
-- of the cents of the same lines: opening + prior_period + debit - credit + rounding = closing.
-- unvalued: lines up to the end without a value; missing: the amount that they leave open, so that closing and missing of an
-- entity sum to zero. Income and expenses of earlier fiscal years are on equity:retained-earnings, as in totals_carried; it is
-- a sum of cents, and so has no fault. fault: closing less its exact figure, 0 if the cents are that figure, rounded once;
-- rounding has none, and neither has conversion of currencies other than the reporting one.
-- Whole months are read from the monthly summary, other periods line by line.
create function books_internal.value_totals(since timestamptz, until timestamptz, by text)
returns table (entity_id text, account text, currency text, opening numeric, prior_period numeric, debit numeric,
  credit numeric, closing numeric, unvalued bigint, fault numeric, rounding numeric, missing numeric, exact numeric)
language sql stable parallel safe as $$
  with year as materialized (
    select n.entity_id, month.begins_at, to_char(since at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM') as first_month,
      fiscal_year.starts_at, to_char(fiscal_year.starts_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM') as year_month,
      case when by = 'posted_at' then exists (
          select from books_internal.value_monthly m where m.entity_id = n.entity_id and m.booked_in < m.period
        ) else exists (select from books_internal.sealed_entities s where s.entity_id = n.entity_id) end as has_valued_later,
      by = 'posted_at' and since = month.begins_at and until = month.ends_at as is_whole,
      case when isfinite(until) then to_char(until at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM') end as end_month
    from books.entities n
    cross join lateral (select books_internal.fiscal_year_start(since, n.timezone, n.fiscal_year_start) as starts_at) as fiscal_year
    cross join lateral (
      select date_trunc('month', since at time zone coalesce(n.timezone, 'UTC')) at time zone coalesce(n.timezone, 'UTC') as begins_at,
        date_trunc('month', until at time zone coalesce(n.timezone, 'UTC')) at time zone coalesce(n.timezone, 'UTC') as ends_at
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
    where y.has_valued_later and not y.is_whole
  ), line as (
    select v.entity_id, case when books_internal.is_of_year(v.account) and counted.counted_at < y.starts_at then 'equity:retained-earnings' else v.account end
      as account, v.currency, v.value, v.exact, v.value_currency, counted.effective_at, counted.counted_at,
      case when v.account = 'expenses:rounding' then v.value else v.exact end as full_value
    from counted
    join books_internal.value_lines v using (entity_id, entry_id)
    join year y using (entity_id)
    where v.period >= y.first_month and not y.is_whole
  ), part as (
    select m.entity_id, case when books_internal.is_of_year(m.account) and m.booked_in < y.year_month then 'equity:retained-earnings' else m.account end as account,
      m.currency, m.currency <> m.value_currency as is_foreign, case when m.booked_in < y.first_month then m.value end as opening,
      case when m.booked_in >= y.first_month and m.effective_in < y.first_month then coalesce(m.debit, 0) - coalesce(m.credit, 0) end as prior_period,
      case when m.effective_in >= y.first_month then m.debit end as debit, case when m.effective_in >= y.first_month then m.credit end as credit,
      case when m.booked_in >= y.first_month then m.value end as moved, m.unvalued, m.exact, null::numeric as missing
    from books_internal.value_monthly m -- whole months
    join year y using (entity_id)
    where m.period < y.first_month or (y.is_whole and m.booked_in < y.end_month)
    union all
    select entity_id, account, currency, bool_or(currency <> value_currency), sum(value) filter (where counted_at < since),
      sum(full_value) filter (where counted_at >= since and effective_at < since),
      sum(full_value) filter (where effective_at >= since and full_value > 0),
      -sum(full_value) filter (where effective_at >= since and full_value < 0),
      sum(value) filter (where counted_at >= since), count(*) filter (where value is null), sum(exact), null
    from line
    group by entity_id, account, currency
    union all
    select p.entity_id, case when books_internal.is_of_year(p.account) and counted.counted_at < y.starts_at then 'equity:retained-earnings' else p.account end,
      p.currency, p.currency <> p.value_currency, null, null, null, null, null, 0, null, u.missing
    from books_internal.unvalued u
    join books.value_postings p using (entity_id, entry_id, line)
    join year y using (entity_id)
    cross join lateral (
      select books_internal.posting_date(p.belongs_to, by, p.effective_at, p.posted_at) as counted_at
    ) as counted
    where counted.counted_at < until
  )
  select t.entity_id, t.account, t.currency, t.opening, t.prior_period, t.debit, t.credit, t.opening + t.moved, t.unvalued,
    case when t.account in ('expenses:rounding', 'equity:retained-earnings') or (t.account = 'equity:conversion' and t.is_foreign)
      or abs(t.opening + t.moved - t.exact) <= 0.005 then 0 else t.opening + t.moved - t.exact end,
    t.moved - t.prior_period - t.debit + t.credit, t.missing, t.exact
  from (
    select entity_id, account, currency, bool_or(is_foreign) as is_foreign, coalesce(sum(opening), 0) as opening,
      coalesce(books_internal.cents(sum(prior_period)), 0) as prior_period, coalesce(books_internal.cents(sum(debit)), 0) as debit,
      coalesce(books_internal.cents(sum(credit)), 0) as credit, coalesce(sum(moved), 0) as moved, sum(unvalued)::bigint as unvalued,
      coalesce(sum(missing), 0) as missing, coalesce(sum(exact), 0) as exact
    from part
    group by entity_id, account, currency
  ) as t
$$;

-- Every line of value with a posting date in [since, until), with the account across its leg, or null for lines without units.
-- value is to the cent; exact is not, except for rounding, which has only cents.
create function books_internal.value_moves(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, line smallint, leg smallint, account text, across text, currency text,
  units numeric, value numeric, effective_at timestamptz, counted_at timestamptz, is_late boolean, is_undone boolean, kind text, stream text,
  record_id text, belongs_to text, rule text, exact numeric)
language sql stable parallel safe as $$
  select v.entity_id, v.entry_id, v.line, v.leg, v.account, case when t.debit = v.account then t.credit else t.debit end,
    v.currency, trim_scale(v.units), trim_scale(v.value), e.effective_at, e.counted_at, e.effective_at < since, e.kind = 'reversal', e.kind,
    e.stream, e.record_id, e.belongs_to, v.rule, trim_scale(case when v.account = 'expenses:rounding' then v.value else v.exact end)
  from books_internal.entries_within(since, until, by) e
  join books_internal.value_lines v using (entity_id, entry_id)
  left join books.transfers t using (entity_id, entry_id, leg)
  where e.effective_at >= since or e.belongs_to is not null
$$;
