-- Prices used: every rate and price that a value of the period rests on, and how much rests on it.
-- For: audit, month-end close. Ties to: trial_balance. lines are all lines of value of the period, in one row each: per entity and
-- currency, debit_value - credit_value is the change from opening_value to closing_value. rule: rate (a market rate), own-cost
-- (the amount in the reporting currency of an exchange), cost-euro (the platform's value in euro), converted-amount (the value of a reward
-- by the platform), opening-file (an imported cost), reporting-currency (the amount itself); the other rules carry earlier
-- values on and need no price. source is the record of the rate, or the record of the entry. rate: units of value_currency
-- for one unit of rate_currency, with 18 decimals (below 0.000001 with 36). rate_currency is the other side of an exchange that is valued by that side; source and
-- rate are empty for lines without a value (unvalued). units and value_at_rate are those of the legs, without a sign; value_at_rate is exact, and
-- rate is value_at_rate / units unless it is a market rate. ages: between the rate and the entries.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/prices_used.sql
with line as (
  select v.*, e.effective_at, v.rule = 'rate' and v.source <> '' as is_rated
  from books_internal.entries_within(:'from'::timestamptz, :'to'::timestamptz, :'by') e
  join books_internal.value_lines v using (entity_id, entry_id)
  where (e.effective_at >= :'from'::timestamptz or e.belongs_to is not null) and books_internal.is_chosen(e.entity_id, :'entity')
), used as materialized ( -- the seconds within which the market rates used were received
  select min(effective_at - (age_seconds + 1) * interval '1 s') as first_at, max(effective_at - age_seconds * interval '1 s') as last_at
  from line
  where is_rated
), received as materialized (
  select r.currency, r.quote, r.rate, r.record_id, r.applies_from, coalesce(r.request_id, 0) as request_id
  from books.rates r
  where r.applies_from >= (select first_at from used) and r.applies_from <= (select last_at from used)
    and r.record_id in (select source from line where is_rated)
), quoted as (
  select * from received where currency <> quote
  union
  select quote, quote, 1, record_id, applies_from, request_id from received
), price as materialized (
  select own.currency as reporting, quoted.currency, quoted.record_id, quoted.applies_from as rate_at,
    round(own.rate, 40) / quoted.rate as rate, max(quoted.request_id) as request_id
  from quoted
  join quoted own using (quote, record_id, applies_from, request_id)
  where own.currency in (select value_currency from line)
  group by 1, 2, 3, 4, 5
), leg as ( -- what a leg is valued at: its fee, or its side outside our own accounts, which bear no fees
  select entity_id, entry_id, leg, currency, value_currency, rule, source, is_rated, max(abs(units)) as units, coalesce(max(abs(fee)),
    max(abs(exact)) filter (where account not like 'assets:%' and account not like 'liabilities:%'), max(abs(exact))) as value,
    bool_or(account = 'equity:conversion') as is_exchange
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
  select l.entity_id, l.entry_id, l.leg, l.rule, l.source, l.units, l.value, case when l.is_rated then coalesce(r.rate_currency, o.rate_currency)
      when l.source <> '' then l.currency end as rate_currency,
    coalesce(r.rate, o.rate) as rate, coalesce(r.rate_at, o.rate_at) as rate_at
  from leg l
  left join rated r using (entity_id, entry_id, leg)
  left join other_side o on (o.entity_id, o.entry_id, o.source) = (l.entity_id, l.entry_id, l.source)
), side as ( -- units and value of a leg once, on the first of its lines with a price
  select l.*, v.rate_currency, v.rate, v.rate_at, row_number() over (partition by l.entity_id, l.entry_id, l.leg, l.rule, l.source order by l.line) = 1 as is_first,
    v.units as leg_units, v.value as leg_value
  from line l
  join valued v using (entity_id, entry_id, leg, rule, source)
  where l.rule not in ('carried', 'lot-cost')
  union all
  select l.*, null, null, null, false, null, null
  from line l
  where leg is null or l.rule in ('carried', 'lot-cost')
), total as (
  select entity_id, currency, value_currency, rule, case when rule <> 'reporting-currency' then nullif(source, '') end as source, path, rate_currency, rate,
    case when source = '' or rule = 'reporting-currency' then null else coalesce(rate_at, min(effective_at)) end as rate_at, min(age_seconds) as age_seconds_min,
    max(age_seconds) as age_seconds_max, count(distinct entry_id) as entries, count(*) as lines,
    count(*) filter (where value is null) as unvalued, sum(leg_units) filter (where is_first) as units,
    sum(leg_value) filter (where is_first) as value_at_rate, coalesce(sum(value) filter (where value > 0), 0) as debit_value,
    coalesce(-sum(value) filter (where value < 0), 0) as credit_value
  from side
  group by entity_id, currency, value_currency, rule, case when rule <> 'reporting-currency' then nullif(source, '') end, source = '', path, rate_currency,
    rate, rate_at
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
order by entity_id collate "C", currency collate "C", rule collate "C", source collate "C" nulls first, path collate "C", rate_currency collate "C", rate,
  rate_at, value_currency collate "C";
