-- Conversions: one currency against another in a wallet or by a trade, and what the price hides.
-- For: the accountant; analysts; the report conversions.
--   psql -f sql/views/33-conversions.sql

-- What was paid, at the market rate that the record carries. The direction of a rate without a pair is the one that explains
-- the amounts within 10 percent; if both or neither do, it is not known. is_paid_base: the rate is units received for one unit
-- paid. One row; without a figure it has the reason.
create function books_internal.at_own_rate(paid numeric, paid_currency text, received numeric, received_currency text, rate numeric,
  base text, quote text)
returns table (received_at_rate numeric, is_paid_base boolean, reason text) language sql immutable parallel safe rows 1 as $$
  select case when d.reason is null then case when d.is_paid_base then d.product else d.quotient end end,
    case when d.reason is null then d.is_paid_base end, d.reason
  from (
    select c.product, c.quotient, case when c.is_product and c.is_quotient then c.fits_product else c.is_product end as is_paid_base, case
        when at_own_rate.rate is null then 'no rate'
        when at_own_rate.rate <= 0 then 'the rate is not positive'
        when not c.is_product and not c.is_quotient then 'the rate is of another pair'
        when c.is_product and c.is_quotient and c.product <> c.quotient and c.fits_product = c.fits_quotient
          then 'the rate names no pair, and its direction is not clear'
      end as reason
    from (
      select a.*, greatest(a.product, at_own_rate.received) <= 1.1 * least(a.product, at_own_rate.received) as fits_product,
        greatest(a.quotient, at_own_rate.received) <= 1.1 * least(a.quotient, at_own_rate.received) as fits_quotient
      from ( -- the factor gives the quotient its decimals
        select at_own_rate.paid * at_own_rate.rate as product,
          round(at_own_rate.paid * 1.000000000000000000000000 / case when at_own_rate.rate > 0 then at_own_rate.rate end, 18) as quotient,
          coalesce(at_own_rate.base = at_own_rate.paid_currency, true) and coalesce(at_own_rate.quote = at_own_rate.received_currency, true)
            as is_product,
          coalesce(at_own_rate.base = at_own_rate.received_currency, true) and coalesce(at_own_rate.quote = at_own_rate.paid_currency, true)
            as is_quotient
      ) as a
    ) as c
  ) as d
$$;

-- What the price of each conversion hides.
create view books.conversion_spreads as
with side as not materialized ( -- read twice, so that an entity's are read alone; an entry and its reversal sum to nothing; fees that are booked are no part of the conversion
  select entity_id, record_id, currency, sum(amount) as amount
  from books.postings
  where account = 'equity:conversion' and stream = 'wallet-transactions'
  group by entity_id, record_id, currency
  having sum(amount) <> 0
), conversion as (
  select w.*, paid.amount as paid, paid.currency as paid_currency, -received.amount as received,
    received.currency as received_currency
  from side paid
  join side received using (entity_id, record_id)
  join books.wallet_transactions w using (entity_id, record_id)
  where paid.amount > 0 and received.amount < 0
)
select entity_id, record_id, coalesce(completed_at, date) as effective_at, subtype, method, trim_scale(paid) as paid, paid_currency,
  trim_scale(received) as received, received_currency, trim_scale(destination_rate) as market_rate,
  destination_rate_base as market_rate_base, destination_rate_quote as market_rate_quote,
  trim_scale(own.received_at_rate) as received_at_rate, trim_scale(own.received_at_rate - received) as spread,
  round(100 * (own.received_at_rate - received) / nullif(own.received_at_rate, 0), 4) as spread_percent, own.reason,
  trim_scale(rate) as shown_rate, rate_base as shown_rate_base, rate_quote as shown_rate_quote,
  trim_scale(flip_fee_amount) as flip_fee_amount, flip_fee_currency, trim_scale(flip_fee_percentage) as flip_fee_percentage
from conversion c
cross join lateral books_internal.at_own_rate(c.paid, c.paid_currency, c.received, c.received_currency, c.destination_rate,
  c.destination_rate_base, c.destination_rate_quote) as own;
comment on view books.conversion_spreads is
  'One row per booked conversion of a wallet: what was paid, what was received, and what the price hides against the market rate that the record carries. The spread is inside the price and is not booked as a fee.';
comment on column books.conversion_spreads.subtype is 'purchase, sell, swap …, as received.';
comment on column books.conversion_spreads.method is 'Payment method, as received. By card, the card''s own fee is inside what was paid, and so inside the spread.';
comment on column books.conversion_spreads.paid is 'Amount that was converted: what left, without the fees that are booked in its currency.';
comment on column books.conversion_spreads.paid_currency is 'Currency of paid.';
comment on column books.conversion_spreads.received is 'Amount that it became, with the fees that are booked in its currency.';
comment on column books.conversion_spreads.received_currency is 'Currency of received, received_at_rate and spread.';
comment on column books.conversion_spreads.market_rate is
  'Market rate that the record carries (destination.rate): units of market_rate_quote for one unit of market_rate_base. Null if it carries none.';
comment on column books.conversion_spreads.market_rate_base is 'Base of market_rate; null if the record does not name it.';
comment on column books.conversion_spreads.market_rate_quote is 'Quote of market_rate; null if the record does not name it.';
comment on column books.conversion_spreads.received_at_rate is
  'What paid is at market_rate, in received_currency: exact where it is multiplied, to 18 decimals where it is divided. Null with a reason.';
comment on column books.conversion_spreads.spread is 'received_at_rate - received: positive if less than at the market rate was received. Null with a reason.';
comment on column books.conversion_spreads.spread_percent is 'spread in percent of received_at_rate, rounded to 4 decimals, halves away from zero. Null with a reason.';
comment on column books.conversion_spreads.reason is
  'Why there is no spread: no rate, the rate is not positive, is of another pair, or names no pair and its direction is not clear. Null if there is one.';
comment on column books.conversion_spreads.shown_rate is 'Price shown to the user, as received; null if none.';
comment on column books.conversion_spreads.shown_rate_base is 'Base of shown_rate; null if the record does not name it.';
comment on column books.conversion_spreads.shown_rate_quote is 'Quote of shown_rate; null if the record does not name it.';
comment on column books.conversion_spreads.flip_fee_amount is 'Fee inside the price as the record states it, for comparison; null if none.';
comment on column books.conversion_spreads.flip_fee_currency is 'Currency of flip_fee_amount.';
comment on column books.conversion_spreads.flip_fee_percentage is 'The same fee in percent, as received; null if none.';

-- Units of one thing for one unit of another; null if there is none of either.
create function books_internal.ratio(units numeric, of_units numeric) returns numeric language sql immutable parallel safe
return trim_scale(books_internal.price_digits(round(units, 60) / nullif(of_units, 0)));

-- What each entry with a posting date in [since, until) posted to conversion, by currency: sold if positive, bought if negative, with its
-- market value then and its exact value in the books. The market price is the one that values use: the newest of the 24 hours before, an
-- official one first. A reversal has the units and the market value of the entry that it reverses, and sign -1; so has what undoes one, and sign 1.
create function books_internal.conversion_sides(since timestamptz, until timestamptz, by text, chosen text)
returns table (entity_id text, entry_id uuid, currency text, effective_at timestamptz, counted_at timestamptz, kind text, stream text,
  record_id text, original_period text, means text, sign integer, original_id uuid, exchanged_at timestamptz, units numeric, reporting text,
  is_priced boolean, price numeric, market_value numeric, source text, price_at timestamptz)
language sql stable parallel safe as $$
  with moved as (
    select m.entity_id, m.entry_id, m.currency, m.effective_at, m.counted_at, m.kind, m.stream, m.record_id, m.original_period,
      case when m.is_undone then -1 else 1 end as sign, sum(case when m.is_undone then -m.amount else m.amount end) as units,
      max(split_part(m.across, ':', 3)) filter (where m.across in ('equity:external:bank', 'equity:external:card')) as means
    from books_internal.period_postings(conversion_sides.since, conversion_sides.until, conversion_sides.by) m
    where m.account = 'equity:conversion' and books_internal.is_chosen(m.entity_id, conversion_sides.chosen)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    having sum(m.amount) <> 0
  ), undoing as materialized ( -- few
    select e.entity_id, e.entry_id from books.entries e where e.undoes is not null
  ), side as materialized (
    select m.*, coalesce(o.original_id, m.entry_id) as original_id, coalesce(o.exchanged_at, m.effective_at) as exchanged_at, n.currency as reporting
    from moved m
    left join lateral (
      select o.entry_id as original_id, o.effective_at as exchanged_at
      from books.entries o
      where (m.sign = -1 or (m.entity_id, m.entry_id) in (select u.entity_id, u.entry_id from undoing u))
        and (o.entity_id, o.entry_id) = (m.entity_id, books_internal.stands_for(m.entity_id, m.entry_id))
      limit 1
    ) as o on true
    left join books.entities n on n.entity_id = m.entity_id
  ), listed as ( -- sides among the prices in order of time: a join would take time that depends on its plan
    select s.*, true as is_side, null::boolean as is_official, s.exchanged_at as applies_from, null as source, null::bigint as request_id,
      null::numeric as reporting_units, null::numeric as currency_units
    from side s
    union all
    select null, null, p.currency, null, null, null, null, null, null, null, null, null, null, null, p.reporting, false, p.source = 'ecb',
      p.applies_from, p.record_id, p.request_id, p.reporting_units, p.currency_units
    from (select min(s.exchanged_at) - interval '24 hours' as first_at, max(s.exchanged_at) as last_at from side s) as span
    cross join lateral books_internal.prices_between(span.first_at, span.last_at) p
  ), numbered as ( -- by the prices of each kind up to it, of which the last has the same number
    select l.*, count(*) filter (where l.is_official) over listing as official_nth, count(*) filter (where not l.is_official) over listing as other_nth
    from listed l
    window listing as (partition by l.reporting, l.currency order by l.applies_from, l.is_side, l.source collate "C", l.request_id rows unbounded preceding)
  ), newest as (
    select n.*, max(n.applies_from) filter (where n.is_official) over official as official_at, max(n.source) filter (where n.is_official) over official as official_source,
      max(n.reporting_units) filter (where n.is_official) over official as official_units, max(n.currency_units) filter (where n.is_official) over official as official_per,
      max(n.applies_from) filter (where not n.is_official) over other as other_at, max(n.source) filter (where not n.is_official) over other as other_source,
      max(n.reporting_units) filter (where not n.is_official) over other as other_units, max(n.currency_units) filter (where not n.is_official) over other as other_per
    from numbered n
    window official as (partition by n.reporting, n.currency, n.official_nth), other as (partition by n.reporting, n.currency, n.other_nth)
  ), recent as (
    select n.*, case when n.is_recent then n.official_at else n.other_at end as price_at, case when n.is_recent then n.official_source else n.other_source end as price_source,
      case when n.is_recent then n.official_units else n.other_units end as price_units, case when n.is_recent then n.official_per else n.other_per end as per_units
    from (select k.*, k.exchanged_at - k.official_at <= interval '24 hours' as is_recent from newest k where k.is_side) as n
  ), priced as (
    select c.*, c.currency = c.reporting as is_own, c.currency <> c.reporting and coalesce(c.exchanged_at - c.price_at <= interval '24 hours', false) as is_rated
    from recent c
  )
  select p.entity_id, p.entry_id, p.currency, p.effective_at, p.counted_at, p.kind, p.stream, p.record_id, p.original_period, p.means, p.sign, p.original_id,
    p.exchanged_at, p.units, p.reporting, p.is_own or p.is_rated, case when p.is_own then 1 when p.is_rated then round(p.price_units, 60) / p.per_units end,
    case when p.is_own then abs(p.units) when p.is_rated then round(round(abs(p.units) * p.price_units, 60) / p.per_units, 18) end,
    case when p.is_rated then p.price_source end, case when p.is_rated then p.price_at end
  from priced p
$$;

-- Every conversion with a posting date in [since, until): the rows of conversions.csv. An entry that exchanges one currency for
-- another is one row; otherwise each of its currencies is one. A reversal has the figures of the entry that it reverses with the sign
-- changed, so that the two sum to zero.
create function books_internal.conversions(since timestamptz, until timestamptz, by text, chosen text)
returns table (entity_id text, effective_at timestamptz, counted_at timestamptz, kind text, subtype text, means text, sold_currency text,
  sold_units numeric, bought_currency text, bought_units numeric, symbol text, implied_rate numeric, stated_rate numeric, own_rate numeric,
  market_rate numeric, market_source text, market_at timestamptz, price_age_seconds integer, unpriced text, value_currency text,
  value numeric, sold_value numeric, bought_value numeric, spread_value numeric, spread_percent numeric, own_spread_value numeric,
  own_spread_percent numeric, own_rate_missing text, in_cost numeric, in_proceeds numeric, expensed numeric, flip_fee_amount numeric,
  flip_fee_currency text, stream text, record_id text, entry_id uuid, original_period text)
language sql stable parallel safe as $$
  with exchange as (
    select s.entity_id, s.entry_id, s.original_id, s.effective_at, s.counted_at, s.exchanged_at, s.kind, s.stream, s.record_id, s.original_period, s.sign, s.reporting,
      s.is_many, max(s.means) as means, max(s.currency) filter (where s.units > 0) as sold_currency,
      max(s.currency) filter (where s.units < 0) as bought_currency, sum(s.units) filter (where s.units > 0) as sold,
      -sum(s.units) filter (where s.units < 0) as bought, max(s.price) filter (where s.units > 0) as sold_price,
      max(s.price) filter (where s.units < 0) as bought_price, max(s.market_value) filter (where s.units > 0) as sold_value,
      max(s.market_value) filter (where s.units < 0) as bought_value, string_agg(distinct s.source, ', ' order by s.source) as market_source,
      min(s.price_at) as market_at, string_agg(s.currency, ', ' order by s.currency collate "C") filter (where not s.is_priced) as unpriced
    from (
      select c.*, count(*) filter (where c.units > 0) over entry > 1 or count(*) filter (where c.units < 0) over entry > 1 as is_many
      from books_internal.conversion_sides(conversions.since, conversions.until, conversions.by, conversions.chosen) c
      window entry as (partition by c.entity_id, c.entry_id)
    ) as s
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, case when s.is_many then s.currency end
  ), recorded as (
    select x.*, x.sold_currency is not null and x.bought_currency is not null and not x.is_many as is_pair, coalesce(r.j ->> 'subtype', r.j ->> 'side') as subtype,
      books_internal.amount_of(r.j #>> '{fee,flip,amount}') as flip_amount, r.j #>> '{fee,flip,currency}' as flip_currency,
      coalesce(shown.value, books_internal.amount_of(r.j ->> 'price')) as stated, coalesce(shown.base, split_part(r.j ->> 'symbol', '/', 1)) as stated_base,
      coalesce(shown.quote, split_part(r.j ->> 'symbol', '/', 2)) as stated_quote, own.value as own, own.base as own_base, own.quote as own_quote
    from exchange x
    left join lateral ( -- the newest version, or the last one before the entry was reversed
      select v.payload::jsonb as j
      from books.entries e
      join books_internal.record_versions v on (v.entity_id, v.stream, v.record_id) = (e.entity_id, e.stream, e.record_id)
      where (e.entity_id, e.entry_id) = (x.entity_id, x.original_id) and (v.version = 1 or not exists ( -- few records have a second one
        select from books.entries u
        where (u.entity_id, u.stream, u.record_id, u.ordinal) = (e.entity_id, e.stream, e.record_id, e.ordinal + 1)
          and v.version > greatest(u.version - 1, e.version)
      ))
      order by v.version desc
      limit 1
    ) as r on true
    left join lateral (select * from books_internal.rate_of(r.j -> 'rate') offset 0) as shown on true
    left join lateral (select * from books_internal.rate_of(r.j #> '{destination,rate}') offset 0) as own on true
  ), rated as (
    select r.*, own.received_at_rate, own.is_paid_base, own.reason, r.stated_base = r.sold_currency and r.stated_quote = r.bought_currency as is_stated_of_sold,
      r.stated_base = r.bought_currency and r.stated_quote = r.sold_currency as is_stated_of_bought, case
        when r.is_pair then coalesce(own.is_paid_base, case
          when r.stated_base = r.sold_currency and r.stated_quote = r.bought_currency then true
          when r.stated_base = r.bought_currency and r.stated_quote = r.sold_currency then false
          else books_internal.is_fiat(r.bought_currency) and not books_internal.is_fiat(r.sold_currency)
        end)
      end as is_of_sold
    from recorded r
    left join lateral (
      select * from books_internal.at_own_rate(r.sold, r.sold_currency, r.bought, r.bought_currency, r.own, r.own_base, r.own_quote) offset 0
    ) as own on r.is_pair
  )
  select r.entity_id, r.effective_at, r.counted_at, r.kind, r.subtype, r.means, r.sold_currency, trim_scale(r.sign * r.sold), r.bought_currency,
    trim_scale(r.sign * r.bought),
    case when r.is_of_sold then r.sold_currency || '/' || r.bought_currency when r.is_pair then r.bought_currency || '/' || r.sold_currency end,
    case when r.is_of_sold then books_internal.ratio(r.bought, r.sold) else books_internal.ratio(r.sold, r.bought) end,
    trim_scale(case
      when r.is_stated_of_sold or r.is_stated_of_bought then case when r.is_stated_of_sold = r.is_of_sold then r.stated else books_internal.ratio(1, r.stated) end
    end),
    trim_scale(case when r.reason is null then case when r.is_paid_base = r.is_of_sold then r.own else books_internal.ratio(1, r.own) end end),
    case when r.is_of_sold then books_internal.ratio(r.sold_price, r.bought_price) when r.is_pair then books_internal.ratio(r.bought_price, r.sold_price) end,
    r.market_source, r.market_at, floor(extract(epoch from r.exchanged_at - r.market_at))::integer, r.unpriced, r.reporting, trim_scale(v.value),
    trim_scale(r.sign * r.sold_value), trim_scale(r.sign * r.bought_value), trim_scale(r.sign * m.spread), round(100 * m.spread / nullif(r.sold_value, 0), 4),
    trim_scale(r.sign * round(m.own_spread, 18)), round(100 * (r.received_at_rate - r.bought) / nullif(r.received_at_rate, 0), 4), case when r.is_pair then r.reason end,
    trim_scale(v.in_cost), trim_scale(v.in_proceeds), trim_scale(v.expensed), trim_scale(r.flip_amount), case when r.flip_amount is not null then r.flip_currency end,
    r.stream, r.record_id, r.entry_id, r.original_period
  from rated r
  cross join lateral (
    select case when r.is_pair then r.sold_value - r.bought_value end as spread, case when r.reason is null then case
        when r.sold_currency = r.reporting then r.sold - case when r.is_paid_base then round(r.bought, 60) / r.own else r.bought * r.own end
        else (r.received_at_rate - r.bought) * r.bought_price
      end end as own_spread
  ) as m
  left join lateral ( -- in the books: of the side sold, if there is one; fees once
    select case when bool_and(l.exact is not null) filter (where l.is_side)
        then sum(l.exact) filter (where l.is_side) * case when r.sold_currency is null then -1 else 1 end end as value,
      sum(l.fee_in_cost) as in_cost, sum(l.fee_in_proceeds) as in_proceeds, sum(l.fee_expensed) as expensed
    from (
      select o.exact, o.account = 'equity:conversion' and o.currency = coalesce(r.sold_currency, r.bought_currency) as is_side,
        case when not r.is_many then o.fee_in_cost end as fee_in_cost, case when not r.is_many then o.fee_in_proceeds end as fee_in_proceeds,
        case when not r.is_many then o.fee_expensed end as fee_expensed
      from books_internal.value_lines o
      where (o.entity_id, o.entry_id) = (r.entity_id, r.entry_id)
    ) as l
  ) as v on true
$$;
