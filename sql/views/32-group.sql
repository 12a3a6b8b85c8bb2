-- The entities of our own together: transfers between them, and the trial balance without what they owe each other.
-- For: group accounting; the reports intercompany and consolidated_trial_balance.
--   psql -f sql/views/32-group.sql

-- What some entries booked in a currency on their accounts for people and chains, debit positive; its value is null if a line has none.
create function books_internal.external_side(entity text, entries uuid[], currency text)
returns table (account text, units numeric, value numeric) language sql stable parallel safe as $$
  select side.account, side.units, worth.value
  from (
    select max(case when t.debit in ('equity:external:person', 'equity:external:blockchain') then t.debit else t.credit end) as account,
      sum(case when t.debit in ('equity:external:person', 'equity:external:blockchain') then t.amount else -t.amount end) as units
    from books.transfers t
    where t.entity_id = external_side.entity and t.entry_id = any (external_side.entries) and t.currency = external_side.currency
      and (t.debit in ('equity:external:person', 'equity:external:blockchain')
        or t.credit in ('equity:external:person', 'equity:external:blockchain'))
  ) as side
  cross join lateral (
    select case when bool_and(v.value is not null) then sum(v.value) end as value
    from books_internal.value_lines v
    where v.entity_id = external_side.entity and v.entry_id = any (external_side.entries) and v.currency = external_side.currency
      and v.account in ('equity:external:person', 'equity:external:blockchain')
  ) as worth
$$;

-- The same of a record by an instant: all its entries with a posting date before it together, so that what was corrected, cancelled or stands
-- again counts as in the accounts; or its first entry, if none has. counted_at: the posting date of the last one that reverses or undoes nothing.
create function books_internal.record_side(entity text, stream text, record text, currency text, until timestamptz, by text)
returns table (account text, counted_at timestamptz, units numeric, value numeric) language sql stable parallel safe as $$
  with entry as materialized (
    select e.entry_id, e.ordinal, e.reverses is null and e.undoes is null as is_own,
      books_internal.posting_date(e.entity_id, e.original_period, record_side.by, e.effective_at, e.posted_at) as counted_at
    from books.entries e where (e.entity_id, e.stream, e.record_id) = (record_side.entity, record_side.stream, record_side.record)
  ), standing as (
    select array_agg(e.entry_id) as entries, (array_agg(e.counted_at order by e.ordinal desc) filter (where e.is_own))[1] as counted_at, 1 as place
    from entry e where e.counted_at < record_side.until
    having count(*) > 0
    union all
    (select array[e.entry_id], e.counted_at, 2 from entry e where e.is_own order by e.counted_at, e.ordinal limit 1)
    order by place limit 1
  )
  select side.account, standing.counted_at, side.units, side.value
  from standing cross join lateral books_internal.external_side(record_side.entity, standing.entries, record_side.currency) side
$$;

-- The transfers of our own entities whose record names a pocket or a user of another one, in whose books they have no counterpart, by
-- posting date before an instant; debit positive. Read for the days that have some.
create function books_internal.unpaired_sides(until timestamptz, by text)
returns table (entity_id text, partner_id text, currency text, units numeric) language sql stable parallel safe as $$
  select m.entity_id, m.names_entity, m.currency, m.amount
  from (
    select d.entity_id, d.effective_day, array_agg(d.currency) as currencies from books_internal.own_days d
    where d.lone > 0 and d.effective_day <= (unpaired_sides.until at time zone 'UTC')::date
    group by 1, 2
  ) as lone_day
  cross join lateral books_internal.lone_outside_moves(lone_day.entity_id, lone_day.effective_day::timestamp at time zone 'UTC',
    (lone_day.effective_day + 1)::timestamp at time zone 'UTC') m
  join books.profiles f on f.entity_id = m.entity_id and f.owner = 'own'
  join books.profiles t on t.entity_id = m.names_entity and t.owner = 'own'
  join books.entries e on (e.entity_id, e.entry_id) = (m.entity_id, m.entry_id)
  where m.currency = any (lone_day.currencies) and m.cancelled_at is null
    and books_internal.posting_date(e.entity_id, e.original_period, unpaired_sides.by, e.effective_at, e.posted_at) < unpaired_sides.until
$$;

-- The transfers between two entities of our own of which a side has a posting date before an instant, unless one was undone by then: the
-- units and the value that each side booked on its external account, positive on both sides. A value is null if a line of that side has
-- none. What people entered there as its fee by then is apart, credits positive. The pairs are those of books.consolidated, record by
-- record: each side is what its accounts hold, whatever entry of the other one it was paired with. Those of the chosen entities are all
-- there; of their partners too, since what a side was paired with decides which pair it is in.
create function books_internal.own_pairs(until timestamptz, by text, chosen text)
returns table (from_entity text, to_entity text, currency text, sent_at timestamptz, received_at timestamptz, out_account text,
  out_units numeric, out_value numeric, in_account text, in_units numeric, in_value numeric, out_fee_value numeric, in_fee_value numeric)
language sql stable parallel safe as $$
  with linked as materialized (
    select distinct o.from_entity, o.from_stream, o.from_record_id, o.to_entity, o.to_stream, o.to_record_id, o.currency
    from books.own_transfers o
    join books.profiles f on f.entity_id = o.from_entity
    join books.profiles t on t.entity_id = o.to_entity
    where o.from_entity <> o.to_entity and f.owner = 'own' and t.owner = 'own'
  ), concerned as materialized (
    select array_agg(distinct side.entity_id) as entities
    from linked l cross join lateral (values (l.from_entity), (l.to_entity)) as side (entity_id)
    where books_internal.is_chosen(l.from_entity, own_pairs.chosen) or books_internal.is_chosen(l.to_entity, own_pairs.chosen)
  ), pair as materialized (
    select l.*, sent.counted_at as sent_at, received.counted_at as received_at, sent.account as out_account, sent.units as out_units,
      sent.value as out_value, received.account as in_account, -received.units as in_units, -received.value as in_value
    from concerned
    join linked l on l.from_entity = any (concerned.entities) or l.to_entity = any (concerned.entities)
    cross join lateral books_internal.record_side(l.from_entity, l.from_stream, l.from_record_id, l.currency, own_pairs.until, own_pairs.by) sent
    cross join lateral books_internal.record_side(l.to_entity, l.to_stream, l.to_record_id, l.currency, own_pairs.until, own_pairs.by) received
    where sent.units <> 0 and received.units <> 0 and least(sent.counted_at, received.counted_at) < own_pairs.until
  ), counted as ( -- of the pairs of a side, that which both sides are booked of by then, or will be next
    select p.*, row_number() over (partition by p.from_entity, p.from_stream, p.from_record_id, p.currency
        order by greatest(p.sent_at, p.received_at)) as nth_sent,
      row_number() over (partition by p.to_entity, p.to_stream, p.to_record_id, p.currency
        order by greatest(p.sent_at, p.received_at)) as nth_received
    from pair p
  ), fee as materialized (
    select f.from_entity, about.stream as from_stream, about.record_id as from_record_id, f.currency, f.entity_id, -sum(side.value) as value
    from books_internal.transfer_fees f
    join books.entries about on (about.entity_id, about.entry_id) = (f.from_entity, f.from_entry_id)
    join books.entries e on (e.entity_id, e.entry_id) = (f.entity_id, f.entry_id)
    join books.entries n on (n.entity_id, n.stream, n.record_id) = (e.entity_id, e.stream, e.record_id) -- with a reversal of it
    cross join lateral books_internal.external_side(n.entity_id, array[n.entry_id], f.currency) side
    where books_internal.posting_date(n.entity_id, n.original_period, own_pairs.by, n.effective_at, n.posted_at) < own_pairs.until
    group by 1, 2, 3, 4, 5
  )
  select p.from_entity, p.to_entity, p.currency, p.sent_at, p.received_at, p.out_account, p.out_units, p.out_value, p.in_account,
    p.in_units, p.in_value, coalesce(out_fee.value, 0), coalesce(in_fee.value, 0)
  from counted p
  left join fee out_fee on (out_fee.from_entity, out_fee.from_stream, out_fee.from_record_id, out_fee.currency, out_fee.entity_id)
    = (p.from_entity, p.from_stream, p.from_record_id, p.currency, p.from_entity)
  left join fee in_fee on (in_fee.from_entity, in_fee.from_stream, in_fee.from_record_id, in_fee.currency, in_fee.entity_id)
    = (p.from_entity, p.from_stream, p.from_record_id, p.currency, p.to_entity)
  where (p.sent_at >= own_pairs.until or p.nth_sent = 1) and (p.received_at >= own_pairs.until or p.nth_received = 1)
$$;

-- The same, once per side: what an entity of ours booked with another one (its partner) and when, debit positive. is_settled: both
-- sides are booked before the end. What each eliminates is what the receiver booked, in units (the two may differ by a fee) and in money, so
-- that the two cancel; the sender's own value less that is the difference, less what people entered as a fee for what did not arrive, in
-- the books of either. In money both are null if a side has no value.
create function books_internal.own_sides(until timestamptz, by text, chosen text)
returns table (entity_id text, partner_id text, currency text, account text, counted_at timestamptz, is_settled boolean, units numeric,
  eliminated_units numeric, value numeric, eliminated_value numeric, difference_value numeric)
language sql stable parallel safe as $$
  select side.entity_id, side.partner_id, p.currency, side.account, side.counted_at, greatest(p.sent_at, p.received_at) < own_sides.until,
    side.units, side.eliminated_units, side.value, side.eliminated, case when p.out_value is not null and p.in_value is not null then side.difference end
  from books_internal.own_pairs(own_sides.until, own_sides.by, own_sides.chosen) p
  cross join lateral (
    values (p.from_entity, p.to_entity, p.out_account, p.sent_at, p.out_units, p.in_units, p.out_value,
        case when p.out_value is not null then p.in_value end, p.out_value - p.in_value - p.out_fee_value),
      (p.to_entity, p.from_entity, p.in_account, p.received_at, -p.in_units, -p.in_units, -p.in_value,
        case when p.out_value is not null then -p.in_value end, -p.in_fee_value)
  ) as side (entity_id, partner_id, account, counted_at, units, eliminated_units, value, eliminated, difference)
  where side.counted_at < own_sides.until
$$;

-- The trial balance of the chosen entities of our own by the codes of the chart of accounts and the classes of assets, in money: what
-- each entity carries, what the transfers between them eliminate, and the rest.
create function books_internal.consolidated_lines(since timestamptz, until timestamptz, by text, chosen text)
returns table (entity_id text, account_code text, account_name text, statement text, statement_class text, value_currency text,
  closing_value numeric, eliminated_value numeric, consolidated_value numeric, in_transit_value numeric, difference_value numeric,
  unvalued bigint, missing_value numeric, asset_class text)
language sql stable parallel safe as $$
  with carried as (
    select w.entity_id, w.account, w.currency, w.closing, 0 as eliminated, 0 as in_transit, 0 as difference, w.unvalued, w.missing
    from books_internal.value_totals(consolidated_lines.since, consolidated_lines.until, consolidated_lines.by) w
    where books_internal.is_chosen(w.entity_id, consolidated_lines.chosen)
    union all
    select s.entity_id, s.account, s.currency, 0, case when s.is_settled then coalesce(s.eliminated_value, 0) else 0 end,
      case when s.is_settled then 0 else coalesce(s.value, 0) end,
      case when s.is_settled then coalesce(s.difference_value, 0) else 0 end, 0, 0
    from books_internal.own_sides(consolidated_lines.until, consolidated_lines.by, consolidated_lines.chosen) s
    where books_internal.is_chosen(s.entity_id, consolidated_lines.chosen)
  )
  select c.entity_id, chart.code, chart.name_en, chart.statement, chart.statement_class, n.currency, round(sum(c.closing), 2),
    round(sum(c.eliminated), 2), round(sum(c.closing) - sum(c.eliminated), 2), round(sum(c.in_transit), 2), round(sum(c.difference), 2),
    sum(c.unvalued)::bigint, round(sum(c.missing), 2), chart.asset_class
  from carried c
  join books.profiles n on n.entity_id = c.entity_id and n.owner = 'own' and books_internal.is_chosen(n.entity_id, consolidated_lines.chosen)
  left join (
    select * from books.chart_of_accounts_at(consolidated_lines.until) l where books_internal.is_chosen(l.entity_id, consolidated_lines.chosen)
  ) as chart
    on (chart.entity_id, chart.account, chart.currency) = (c.entity_id, c.account, c.currency)
  group by 1, 2, 3, 4, 5, 6, chart.asset_class
  having bool_or(c.closing <> 0 or c.eliminated <> 0 or c.in_transit <> 0 or c.unvalued <> 0)
$$;

create function books.consolidated_trial_balance(since timestamptz, until timestamptz)
returns table (account_code text, account_name text, statement text, statement_class text, value_currency text, entities bigint,
  closing_value numeric, eliminated_value numeric, consolidated_value numeric, in_transit_value numeric, difference_value numeric,
  unvalued bigint, missing_value numeric, asset_class text)
language sql stable parallel safe as $$
  select account_code, account_name, statement, statement_class, value_currency, count(*), sum(closing_value), sum(eliminated_value),
    sum(consolidated_value), sum(in_transit_value), sum(difference_value), sum(unvalued)::bigint, sum(missing_value), asset_class
  from books_internal.consolidated_lines(consolidated_trial_balance.since, consolidated_trial_balance.until, 'posted_at', '')
  group by 1, 2, 3, 4, 5, asset_class
$$;
comment on function books.consolidated_trial_balance(timestamptz, timestamptz) is
  'The report consolidated_trial_balance over all entities of our own, one row per account code and asset class: carried, eliminated and consolidated value.';
