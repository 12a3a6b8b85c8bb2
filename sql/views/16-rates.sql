-- Rates and prices, and the value of an amount at the newest of them.
-- For: values; breaks.
--   psql -f sql/views/16-rates.sql

create view books.rates as
select r.currency, 'USD' as quote, r.at as applies_from, trim_scale(r.rate) as rate, l.source,
  concat_ws(' ', l.source, nullif(l.subject, ''), to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as record_id,
  r.entity_id, r.request_id, null::bigint as file_id
from land.rates r
join land.rate_lists l using (entity_id, request_id, entry)
union all
select o.currency, o.quote, (o.day + time '16:00') at time zone 'Europe/Berlin', trim_scale(o.rate), f.source,
  f.source || ' ' || o.day, o.entity_id, null, o.file_id
from (
  select distinct on (currency, quote, day) currency, quote, day, rate, entity_id, file_id
  from land.official_rates
  order by currency, quote, day, file_id desc
) as o
join land.official_files f using (entity_id, file_id);
comment on view books.rates is
  'One row per rate as received: units of currency for one unit of quote.';
comment on column books.rates.quote is 'Currency in which the rate is expressed.';
comment on column books.rates.applies_from is 'When the rate applies from. A daily official rate applies from 16:00 in Frankfurt.';
comment on column books.rates.rate is 'Units of currency for one unit of quote; positive.';
comment on column books.rates.source is 'rates (the gateway''s list), chart (its price chart) or ecb (a file of official rates).';
comment on column books.rates.record_id is 'Name of the rate, which values refer to.';
comment on column books.rates.entity_id is 'Entity under which it was received.';
comment on column books.rates.file_id is 'File that brought it; null if the gateway did.';

-- Every price received between two instants, both inclusive, in each reporting currency. One record has both sides: units of
-- the currency and of the reporting one for the same third currency.
create function books_internal.prices_between(first_at timestamptz, last_at timestamptz)
returns table (currency text, reporting text, currency_units numeric, reporting_units numeric, source text, record_id text,
  applies_from timestamptz, request_id bigint)
language sql stable parallel safe as $$
  with received as (
    select r.currency, r.quote, r.applies_from, r.rate, r.source, r.record_id, coalesce(r.request_id, 0) as request_id
    from books.rates r
    where r.applies_from >= first_at and r.applies_from <= last_at
  ), rate as (
    select * from received where currency <> quote
    union
    select quote, quote, applies_from, 1, source, record_id, request_id from received
  )
  select quoted.currency, own.currency, quoted.rate, own.rate, quoted.source, quoted.record_id, quoted.applies_from, quoted.request_id
  from rate quoted
  join rate own using (quote, applies_from, source, record_id, request_id)
  where own.currency in (select n.currency from books.entities n)
$$;

-- The price of a unit at an instant, in each reporting currency: an official rate of the 24 hours before, otherwise the
-- newest rate of the gateway in them. No row: there is no such rate.
create function books_internal.market_rates(as_of timestamptz)
returns table (currency text, reporting text, currency_units numeric, reporting_units numeric, source text, record_id text,
  applies_from timestamptz)
language sql stable parallel safe as $$
  select distinct on (p.currency, p.reporting) p.currency, p.reporting, p.currency_units, p.reporting_units, p.source, p.record_id, p.applies_from
  from books_internal.prices_between(as_of - interval '24 hours', as_of) p
  order by p.currency, p.reporting, p.source = 'ecb' desc, p.applies_from desc, p.record_id collate "C" desc, p.request_id desc
$$;

-- A price as reports show it: 18 decimals, and 36 if it is so small that they would cut its digits.
create function books_internal.price_digits(price numeric) returns numeric language sql immutable parallel safe
return round(price, case when abs(price) < 0.000001 then 36 else 18 end);

-- The newest price before an instant from the rates of the gateway or an official file; one record has both sides.
-- The base currency of the rates (the dollar; in a file, the euro) is priced by the rate of the reporting currency. The search starts at
-- the newest rate and widens in steps, each of which gives the same price or none: few of all rates look up their other side.
create function books_internal.rate_price(currency text, reporting text, before timestamptz)
returns table (price numeric, price_at timestamptz) language sql stable parallel safe as $$
  select found.price, found.price_at
  from (
    (
      select case newest.quote when rate_price.reporting then 1 else newest.own_rate end / newest.rate as price, newest.applies_from as price_at
      from (
        select max(r.applies_from) as applies_from from books.rates r where r.currency = rate_price.currency and r.applies_from <= rate_price.before
      ) as last
      cross join (values (0), (7), (100000)) as back (days)
      cross join lateral (
        select quoted.quote, quoted.rate, quoted.applies_from, own.rate as own_rate
        from books.rates quoted
        left join lateral (
          select o.rate from books.rates o
          where o.currency = rate_price.reporting and (o.quote, o.applies_from, o.source, o.record_id) = (quoted.quote, quoted.applies_from, quoted.source, quoted.record_id)
            and o.request_id is not distinct from quoted.request_id
          limit 1
        ) as own on true
        where quoted.currency = rate_price.currency and quoted.applies_from <= last.applies_from and quoted.applies_from >= last.applies_from - make_interval(days => back.days)
          and (quoted.quote = rate_price.reporting or own.rate is not null)
        order by quoted.applies_from desc
        limit 1
      ) as newest
      limit 1
    )
    union all
    (
      select own.rate, own.applies_from
      from books.rates own
      where own.currency = rate_price.reporting and own.quote = rate_price.currency and own.applies_from <= rate_price.before
      order by own.applies_from desc
      limit 1
    )
  ) as found
  order by found.price_at desc
  limit 1
$$;

-- The price of the last fill before an instant, in exactly this market, if it is not older than `since` (null: however old). A fill
-- posts to conversion, so the daily summary knows the last day that may have one; the search starts there and widens in steps, each
-- of which gives the same fill or none.
create function books_internal.fill_price(entity text, currency text, reporting text, before timestamptz, since timestamptz)
returns table (price numeric, price_at timestamptz) language sql stable parallel safe as $$
  select fill.price, fill.price_at
  from (
    select max(d.effective_day) as day
    from books_internal.daily d
    where (d.entity_id, d.account, d.currency) = (fill_price.entity, 'equity:conversion', fill_price.currency)
      and d.effective_day <= (fill_price.before at time zone 'UTC')::date
  ) as last
  cross join (values (0), (7), (60), (100000)) as back (days)
  cross join lateral (
    select books_internal.amount_of(r.payload::jsonb ->> 'price') as price, r.record_at as price_at
    from books.records r
    where r.entity_id = fill_price.entity and r.stream = 'trades' and r.scope = '' and r.outcome = 'booked'
      and r.record_at >= greatest((last.day - back.days)::timestamp at time zone 'UTC', fill_price.since)
      and r.record_at < least(fill_price.before, (last.day + 1)::timestamp at time zone 'UTC')
      and strpos(r.payload, '"' || fill_price.currency || '/' || fill_price.reporting || '"') > 0
      and r.payload::jsonb ->> 'symbol' = fill_price.currency || '/' || fill_price.reporting
      and books_internal.amount_of(r.payload::jsonb ->> 'price') > 0
    order by r.record_at desc, r.record_id desc
    limit 1
  ) as fill
  limit 1
$$;

-- The newest price of a currency in a reporting currency before an instant, from a fill or the rates, a fill if both are of one instant;
-- 1, without a time, for the reporting currency itself. No row: there is none. Fills are searched back to the newest rate only: a
-- currency that was never traded against the reporting currency would have all trades read.
create function books_internal.newest_price(entity text, currency text, reporting text, before timestamptz)
returns table (price numeric, price_at timestamptz) language sql stable parallel safe as $$
  select 1::numeric, null::timestamptz where newest_price.currency = newest_price.reporting
  union all
  select coalesce(fill.price, rate.price), case when fill.price is null then rate.price_at else fill.price_at end
  from (select where newest_price.currency <> newest_price.reporting) as other
  left join lateral books_internal.rate_price(newest_price.currency, newest_price.reporting, newest_price.before) as rate on true
  left join lateral books_internal.fill_price(newest_price.entity, newest_price.currency, newest_price.reporting, newest_price.before, rate.price_at)
    as fill on true
  where fill.price is not null or rate.price is not null
$$;

-- The same price alone. Null if there is none.
create function books_internal.price_of(entity text, currency text, reporting text, before timestamptz)
returns numeric language sql stable parallel safe as $$
  select price from books_internal.newest_price(price_of.entity, price_of.currency, price_of.reporting, price_of.before)
$$;

-- An amount's value in a reporting currency, without a sign, at the newest price before an instant. Null if there is no price.
create function books_internal.value_of(entity text, currency text, amount numeric, reporting text, before timestamptz)
returns numeric language sql stable parallel safe as $$
  select trim_scale(round(abs(value_of.amount)
    * books_internal.price_of(value_of.entity, value_of.currency, value_of.reporting, value_of.before), 18))
$$;
