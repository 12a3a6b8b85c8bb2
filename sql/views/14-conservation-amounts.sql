-- The same proof in amounts: payloads on one side, the ledger on the other.
-- For: verify; the manifest.
--   psql -f sql/views/14-conservation-amounts.sql

-- The amounts that the gateway reports in a record: into or out of which of our own accounts. Read from the payload alone, not through
-- the booking rules: both must give the same sums. `pockets` are those ever listed; null if the list was never read. `offset 0` makes
-- the planner parse each payload once; each part is left out by the stream before it parses anything.
create function books_internal.amounts_in(entity_id text, stream text, record_id text, payload text, pockets text[])
returns table (side text, currency text, amount numeric) language sql stable parallel safe as $$
  select case j ->> 'movementType' when 'deposit' then 'into trading' when 'withdrawal' then 'out of trading' end,
    j ->> 'currency', books_internal.amount_of(j ->> 'amount')
  from (select payload::jsonb as j offset 0) as parsed
  where stream = 'movements'
  union all
  select part.side, part.currency, books_internal.amount_of(part.amount)
  from (select payload::jsonb as j offset 0) as parsed
  cross join lateral (values
    (case j ->> 'side' when 'buy' then 'into trading' when 'sell' then 'out of trading' end,
      split_part(j ->> 'symbol', '/', 1), j ->> 'amount'),
    (case j ->> 'side' when 'sell' then 'into trading' when 'buy' then 'out of trading' end,
      split_part(j ->> 'symbol', '/', 2), j ->> 'cost'),
    ('trading fees', j ->> 'feeCurrency', j ->> 'feeAmount')
  ) as part (side, currency, amount)
  where stream = 'trades'
  union all
  select part.side, part.currency, part.amount
  from (
    select j, j #> '{fee,teller}' as teller, j #>> '{destination,currency}' as currency, -- of the amount received
      -- An incoming origin may have only a class; without an origin, a gift is received unchanged, and anything else was paid for,
      -- as is a purchase from a card without an amount.
      coalesce(books_internal.amount_of(j #>> '{origin,amount}'),
        books_internal.amount_of(coalesce(j #>> '{destination,amount}', j #>> '{destination,amountAfterFees}'))) as sent,
      case
        when j #>> '{origin,class}' = 'card' and j #>> '{origin,amount}' is null and j ->> 'subtype' = 'purchase'
          then coalesce(j #>> '{denomination,currency}', j #>> '{destination,currency}')
        when j #>> '{origin,class}' is not null then coalesce(j #>> '{origin,currency}', j #>> '{destination,currency}')
        when j ->> 'method' in ('promo-referral', 'profit-share') or j ->> 'subtype' = 'reimbursement' then j #>> '{destination,currency}'
        else coalesce(j #>> '{denomination,currency}', j #>> '{destination,currency}')
      end as sent_currency,
      books_internal.amount_of(j #>> '{fee,network,amount}') as network, j #>> '{fee,network,currency}' as network_currency,
      books_internal.amount_of(coalesce(j #>> '{destination,amountAfterFees}', j #>> '{destination,amount}')) as received,
      -- A pocket that was never listed belongs to somebody else; if the list was never read, every pocket is our own.
      case
        when j #>> '{origin,class}' in ('trading', 'earn') then 'clearing'
        when j #>> '{origin,class}' = 'pocket' and coalesce(lower(j #>> '{origin,pocketId}') = any (pockets), true) then 'pockets'
      end as origin,
      case
        when j #>> '{destination,class}' in ('trading', 'earn') then 'clearing'
        when j #>> '{destination,class}' = 'pocket' and coalesce(lower(j #>> '{destination,pocketId}') = any (pockets), true)
          then 'pockets'
      end as destination
    from (select payload::jsonb as j offset 0) as parsed
    offset 0
  ) as parsed
  cross join lateral (
    -- The fees of a transfer from our own pocket that are named in its currency: with equal amounts on both sides, paid on top.
    select coalesce(sum(books_internal.amount_of(fee_text)), 0) as amount
    from unnest(array[
      j #>> '{fee,network,amount}', j #>> '{fee,mercantile,amount}',
      j #>> '{fee,fixedFee}', j #>> '{fee,variableFee}', teller ->> 'fixedFee', teller ->> 'variableFee',
      case when coalesce(teller ->> 'fixedFee', teller ->> 'variableFee') is null then teller #>> '{fixed,amount}' end,
      case when coalesce(teller ->> 'fixedFee', teller ->> 'variableFee') is null then teller #>> '{variable,amount}' end
    ], array[
      network_currency, j #>> '{fee,mercantile,currency}',
      j #>> '{fee,feeCurrency}', j #>> '{fee,feeCurrency}', teller ->> 'feeCurrency', teller ->> 'feeCurrency',
      teller #>> '{fixed,currency}', teller #>> '{variable,currency}'
    ]) as fee (fee_text, fee_currency)
    where origin = 'pockets' and sent_currency = currency and fee_currency = currency
  ) as own_fees
  cross join lateral (values
    ('into ' || destination, currency, received),
    ('out of ' || origin, sent_currency, case when sent = received then sent + own_fees.amount else sent end),
    -- The network fee may be in another coin: it leaves our only pocket of that coin when the record first landed; with several, the pocket
    -- is unknown. It is not booked if the sides differ by more than the fees named in their currency: it may be the value of that difference.
    (case
      when network > 0 and network_currency not in (sent_currency, currency)
        and (sent_currency <> currency or origin = 'pockets' and sent - received in (0, own_fees.amount))
      then case (
        select count(*)
        from books_internal.listed_pockets p
        join books_internal.record_versions f
          on (f.entity_id, f.stream, f.record_id, f.version) = (amounts_in.entity_id, amounts_in.stream, amounts_in.record_id, 1)
        where (p.entity_id, p.currency) = (amounts_in.entity_id, network_currency) and f.request_id > p.named_after
          and (p.named_until is null or f.request_id <= p.named_until)
      )
        when 1 then 'out of pockets' else 'out of clearing' end
    end, network_currency, network)
  ) as part (side, currency, amount)
  where stream = 'wallet-transactions'
  union all
  select part.side, j #>> '{amount,currency}', part.amount
  from (select payload::jsonb as j offset 0) as parsed
  cross join lateral books_internal.earn_amounts_of(j)
  cross join lateral (values
    (case j ->> 'type' when 'withdrawal' then 'out of earn' else 'into earn' end,
      case j ->> 'type' when 'withdrawal' then coalesce(net + withheld, gross) else coalesce(net, gross - coalesce(withheld, 0)) end),
    ('tax withheld', coalesce(withheld, gross - net))
  ) as part (side, amount)
  where stream = 'earn-movements'
$$;

-- Those of each version of a record that is booked or set aside.
create view books_internal.version_amounts as
select r.entity_id, r.stream, r.record_id, r.version, r.outcome, a.side, a.currency, a.amount, r.rule_version,
  coalesce(r.record_at, r.landed_at) as record_at, r.is_latest
from books_internal.record_versions r
left join (
  select n.entity_id, array(select lower(p.pocket_id) from land.pockets p where p.entity_id = n.entity_id) as pockets
  from run.entities n
  where exists (select from land.snapshots s where s.entity_id = n.entity_id and s.product = 'pocket')
) as own using (entity_id)
cross join lateral books_internal.amounts_in(r.entity_id, r.stream, r.record_id, r.payload, own.pockets) as a
where r.outcome = 'booked' or r.outcome like 'set aside%';

-- Those of the latest version of each record.
create view books_internal.reported_amounts as
select a.entity_id, a.stream, a.record_id, a.outcome, a.side, a.currency, a.amount, a.rule_version, a.record_at
from books_internal.version_amounts a
where not exists (
  select from land.records newer
  where (newer.entity_id, newer.stream, newer.record_id) = (a.entity_id, a.stream, a.record_id) and newer.version > a.version
);

-- The accounts of our own that a leg enters and leaves; only wallet transactions have clearing as a side.
create function books_internal.sides(stream text, debit text, credit text) returns table (side text) language sql immutable parallel safe as $$
  select side
  from (values
    (case
      when debit = 'assets:trading' then 'into trading'
      when debit like 'assets:pocket:%' then 'into pockets'
      when debit like 'assets:clearing:%' and stream = 'wallet-transactions' then 'into clearing'
      when debit = 'assets:earn' then 'into earn'
      when debit = 'assets:tax-withheld' then 'tax withheld'
    end),
    (case
      when credit = 'assets:trading' and debit like 'expenses:fees:%' then 'trading fees'
      when credit = 'assets:trading' then 'out of trading'
      when credit like 'assets:pocket:%' then 'out of pockets'
      when credit like 'assets:clearing:%' and stream = 'wallet-transactions' then 'out of clearing'
      when credit = 'assets:earn' then 'out of earn'
    end)
  ) as leg (side)
  where side is not null
$$;

-- The net legs of the entries of each record. A reversal cancels the legs that it reverses. Manual entries belong to no record and are
-- left out. (`verify ledger` finds an entry whose record never landed.)
create view books_internal.record_legs as
select e.entity_id, e.stream, e.record_id, leg.debit, leg.credit, t.currency, leg.amount, e.entry_number
from ledger.entries e
join ledger.transfers t using (entity_id, entry_id)
left join ledger.entries u on (u.entity_id, u.entry_id) = (e.entity_id, e.reverses)
cross join lateral (
  select case when e.reverses is null then t.debit else t.credit end as debit,
    case when e.reverses is null then t.credit else t.debit end as credit,
    case when e.reverses is null then t.amount else -t.amount end as amount
) as leg
where coalesce(u.kind, e.kind) <> 'manual';

-- Those of each landed record, for each version of it.
create view books_internal.version_legs as
select r.entity_id, r.stream, r.record_id, r.version, r.rule_version, coalesce(r.record_at, r.landed_at) as record_at, l.debit, l.credit,
  l.currency, l.amount, l.entry_number, r.is_latest
from books_internal.record_versions r
join books_internal.record_legs l using (entity_id, stream, record_id);

-- The same sides as reported_amounts, from the ledger.
create view books_internal.booked_amounts as
select l.entity_id, l.stream, l.record_id, s.side, l.currency, l.amount, l.rule_version, l.record_at, l.entry_number
from books_internal.version_legs l cross join lateral books_internal.sides(l.stream, l.debit, l.credit) as s
where not exists (
  select from land.records newer
  where (newer.entity_id, newer.stream, newer.record_id) = (l.entity_id, l.stream, l.record_id) and newer.version > l.version
);

-- The amounts of both sides, line by line: `landed` as reported, of which `set_aside` waits or was cancelled; `booked` as in the
-- ledger. Rejects may have no amount at all, so they are only counted. Not compared: the other end of each leg (clearing in
-- trading's and Earn's own stream, bots, banks, chains, cards, people), which its balance and the tie-outs prove.
create view books_internal.conservation_lines as
select entity_id, stream, record_id, record_at, rule_version, side, currency, coalesce(amount, 0) as landed, 0::numeric as booked,
  case outcome when 'booked' then 0 else coalesce(amount, 0) end as set_aside
from books_internal.reported_amounts
where side is not null and currency is not null
union all
select entity_id, stream, record_id, record_at, coalesce(rule_version, 0), side, currency, 0, amount, 0
from books_internal.booked_amounts;

-- The proof in amounts of the records whose own time falls in [since, until), per stream, rule version, side and currency: landed =
-- booked + set aside. From the beginning on, all legs are read whole; otherwise they are looked up by their record, one by one, so that
-- a month costs a month. Legs are summed before their sides are told apart, which takes longer than the sum.
create function books_internal.conservation_sums_within(since timestamptz, until timestamptz)
returns table (entity_id text, stream text, rule_version integer, side text, currency text, landed numeric, booked numeric,
  set_aside numeric, difference numeric)
language sql stable parallel safe as $$
  with reported as (
    select v.entity_id, v.stream, v.rule_version, v.side, v.currency, v.amount, v.outcome
    from books_internal.version_amounts v
    where v.record_at >= since and v.record_at < until and v.is_latest
  ), booked as (
    select v.entity_id, v.stream, v.rule_version, v.debit, v.credit, v.currency, v.amount
    from books_internal.version_legs v
    where since = '-infinity' and v.record_at < until and v.is_latest
    union all
    select r.entity_id, r.stream, own.rule_version, own.debit, own.credit, own.currency, own.amount
    from books_internal.record_versions r
    cross join lateral (
      select o.rule_version, l.debit, l.credit, l.currency, l.amount
      from books_internal.record_legs l
      left join books_internal.record_outcomes o
        on (o.entity_id, o.stream, o.record_id, o.version) = (l.entity_id, l.stream, l.record_id, r.version)
      where (l.entity_id, l.stream, l.record_id) = (r.entity_id, r.stream, r.record_id)
      offset 0
    ) as own
    where since > '-infinity' and coalesce(r.record_at, r.landed_at) >= since and coalesce(r.record_at, r.landed_at) < until
      and r.is_latest
  )
  select entity_id, stream, rule_version, side, currency, trim_scale(sum(landed)) as landed, trim_scale(sum(booked)) as booked,
    trim_scale(sum(set_aside)) as set_aside, trim_scale(sum(landed) - sum(booked) - sum(set_aside)) as difference
  from (
    select entity_id, stream, rule_version, side, currency, coalesce(sum(amount), 0) as landed, 0 as booked,
      coalesce(sum(amount) filter (where outcome <> 'booked'), 0) as set_aside
    from reported
    where side is not null and currency is not null
    group by entity_id, stream, rule_version, side, currency
    union all
    select l.entity_id, l.stream, coalesce(l.rule_version, 0), s.side, l.currency, 0, l.amount, 0
    from (
      select entity_id, stream, rule_version, debit, credit, currency, sum(amount) as amount
      from booked
      group by entity_id, stream, rule_version, debit, credit, currency
    ) as l
    cross join lateral books_internal.sides(l.stream, l.debit, l.credit) as s
  ) as summed
  group by entity_id, stream, rule_version, side, currency
$$;

-- The same of all records.
create view books_internal.conservation_sums as
select * from books_internal.conservation_sums_within('-infinity', 'infinity');
