-- What the platform reports to the tax authority (the OECD's Crypto-Asset Reporting Framework, and DAC8 in the European Union), by entry.
-- For: dac8_check and the report checks.
--   psql -f sql/views/38-yearly-events.sql

-- The accounts on which the framework's transactions are posted, by kind; null for any other account. Realised gains are values alone.
create function books_internal.dac8_group(account text) returns text language sql immutable parallel safe
return case
  when account = 'equity:conversion' then 'exchanges'
  when account like 'income:gains:%' then null
  when account like 'income:%' then 'rewards'
  when account like 'equity:external:%' or account = 'liabilities:working-capital' then 'transfers'
end;

-- Every exchange, transfer and reward with a posting date in [since, until), one row per entry, account and currency. year is the
-- calendar year of the transaction itself, by its effective date: the framework reports a year's transactions, whenever books learn of
-- them. units and gross_value are positive, those of a reversal negative, so that both sum to what is left. what is null for what no
-- type takes: fiat currency, fees within an exchange, what an exchange moved in or out directly, and what an entry changes in the value
-- of others (a line without a leg: the cancellation of what was sent, once its cost has come back); units and gross_value are then
-- debit positive. legs are the legs that make it up.
create function books_internal.dac8_events(since timestamptz, until timestamptz, by text, chosen text)
returns table (entity_id text, entry_id uuid, legs smallint[], year text, account text, currency text, what text, units numeric,
  gross_value numeric, times integer, rules text[])
language sql stable parallel safe as $$
  with move as (
    select m.entity_id, m.entry_id, m.leg, m.account, m.currency, m.amount, v.exact as value, v.rule, f.is_fiat,
      to_char(m.effective_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY') as year, case when m.is_undone then -1 else 1 end as times,
      case when m.account = 'equity:conversion' then m.across not like 'expenses:%'
        else m.across <> 'equity:conversion' and not f.is_fiat end as is_reported
    from books_internal.period_postings(dac8_events.since, dac8_events.until, dac8_events.by) m
    cross join lateral (values (books_internal.is_fiat(m.currency))) as f (is_fiat)
    left join books.entities n on n.entity_id = m.entity_id
    left join lateral (
      select s.exact, s.rule from books_internal.value_lines s
      where (s.entity_id, s.entry_id, s.leg, s.account) = (m.entity_id, m.entry_id, m.leg, m.account)
      offset 0
    ) as v on true
    where books_internal.dac8_group(m.account) is not null and books_internal.is_chosen(m.entity_id, dac8_events.chosen)
  ), summed as ( -- conversion is debited with what was given and credited with what was received; a reversal swaps both
    select m.entity_id, m.entry_id, m.year, m.account, m.currency, m.times, m.is_fiat, m.is_reported, array_agg(m.leg) as legs,
      sum(m.amount) as moved, sum(m.amount) * m.times as amount, sum(m.value) as value, array_agg(distinct m.rule) as rules
    from move m
    group by m.entity_id, m.entry_id, m.year, m.account, m.currency, m.times, m.is_fiat, m.is_reported
  ), sided as (
    select s.*, s.account = 'equity:conversion' as is_exchange, s.is_reported and s.amount <> 0 as is_moved, bool_or(s.is_fiat
      and s.account = 'equity:conversion' and s.is_reported and s.amount <> 0) over (partition by s.entity_id, s.entry_id) as has_fiat
    from summed s
  ), typed as (
    select s.*, case
        when s.is_fiat or not s.is_moved then null
        when s.is_exchange and s.has_fiat then case when s.amount < 0 then 'bought' else 'sold' end
        when s.is_exchange then case when s.amount < 0 then 'swapped in' else 'swapped out' end
        when s.account like 'income:%' then 'reward'
        when s.account = 'equity:external:card' and s.amount > 0 then 'retail payment'
        when s.amount < 0 then 'transferred in'
        else 'transferred out'
      end as what
    from sided s
  )
  select t.entity_id, t.entry_id, t.legs, t.year, t.account, t.currency, t.what,
    case when t.what is null then t.moved when t.what = 'reward' then -t.moved else abs(t.amount) * t.times end,
    case when t.what is null then t.value when t.what = 'reward' then -t.value else sign(t.amount) * t.value end, t.times, t.rules
  from typed t
  union all
  select v.entity_id, v.entry_id, '{}', to_char(v.effective_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY'), v.account, v.currency, null,
    0, v.exact, 0, array[v.rule]
  from books_internal.value_lines_within(dac8_events.since, dac8_events.until, dac8_events.by) v
  left join books.entities n on n.entity_id = v.entity_id
  where v.leg is null and v.exact <> 0 and books_internal.dac8_group(v.account) is not null
    and books_internal.is_chosen(v.entity_id, dac8_events.chosen)
$$;
