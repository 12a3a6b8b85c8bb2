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
create function books_internal.value_totals(since timestamptz, until timestamptz, by text)
returns table (entity_id text, account text, currency text, opening numeric, prior_period numeric, debit numeric,
  credit numeric, closing numeric, unvalued bigint, fault numeric, rounding numeric, missing numeric, exact numeric)
language sql stable parallel safe as $$
  select t.entity_id, t.account, t.currency, t.opening, t.prior_period, t.debit, t.credit, t.closing, t.unvalued,
    case when t.account in ('expenses:rounding', 'equity:retained-earnings') or (t.account = 'equity:conversion' and t.is_foreign)
      or abs(t.closing - t.exact) <= 0.005 then 0 else t.closing - t.exact end,
    t.moved - t.prior_period - t.debit + t.credit, t.missing, t.exact
  from (
    select v.entity_id, v.account, v.currency, bool_or(v.currency <> v.value_currency) as is_foreign,
      coalesce(sum(v.value) filter (where v.counted_at < since), 0) as opening,
      coalesce(books_internal.cents(sum(v.full_value) filter (where v.counted_at >= since and v.effective_at < since)), 0) as prior_period,
      coalesce(books_internal.cents(sum(v.full_value) filter (where v.effective_at >= since and v.full_value > 0)), 0) as debit,
      coalesce(books_internal.cents(-sum(v.full_value) filter (where v.effective_at >= since and v.full_value < 0)), 0) as credit,
      coalesce(sum(v.value) filter (where v.counted_at >= since), 0) as moved, coalesce(sum(v.value), 0) as closing,
      count(*) filter (where v.value is null) as unvalued, coalesce(sum(v.missing), 0) as missing,
      coalesce(sum(v.exact), 0) as exact
    from (
      select p.entity_id, case
          when books_internal.is_of_year(p.account) and counted.counted_at < books_internal.fiscal_year_start(since, n.timezone, n.fiscal_year_start) then 'equity:retained-earnings'
          else p.account
        end as account, p.currency, p.value, p.value_currency, p.exact, p.effective_at, u.missing, counted.counted_at,
        case when p.account = 'expenses:rounding' then p.value else p.exact end as full_value
      from books.value_postings p
      left join books.entities n using (entity_id)
      left join books_internal.unvalued u using (entity_id, entry_id, line)
      cross join lateral (
        select books_internal.posting_date(p.belongs_to, by, p.effective_at, p.posted_at) as counted_at
      ) as counted
    ) as v
    where v.counted_at < until
    group by v.entity_id, v.account, v.currency
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
    v.currency, v.units, v.value, v.effective_at, v.counted_at, v.effective_at < since, v.kind = 'reversal', v.kind, v.stream, v.record_id,
    v.belongs_to, v.rule, case when v.account = 'expenses:rounding' then v.value else v.exact end
  from (
    select p.*, books_internal.posting_date(p.belongs_to, by, p.effective_at, p.posted_at) as counted_at
    from books.value_postings p
    where (p.entry_id >= books_internal.first_entry_id(since) and p.entry_id < books_internal.first_entry_id(until + interval '1 ms'))
      or p.belongs_to is not null
  ) as v
  left join books.transfers t using (entity_id, entry_id, leg)
  where v.counted_at >= since and v.counted_at < until
$$;
