-- Entries in the reporting currency, and items without a value.
-- For: the accountant.
--   psql -f sql/views/18-valuation.sql

create view books.value_postings as
select v.entity_id, v.entry_id, v.line, v.leg, v.account, v.currency, trim_scale(v.units) as units, trim_scale(v.value) as value,
  v.value_currency, e.effective_at, e.posted_at, v.period, e.kind, e.stream, e.record_id, v.rule, v.source, v.path,
  v.age_seconds, trim_scale(v.fee_in_cost) as fee_in_cost, trim_scale(v.fee_in_proceeds) as fee_in_proceeds,
  trim_scale(v.fee_expensed) as fee_expensed, trim_scale(v.spread) as spread, v.memo, trim_scale(v.exact) as exact, v.taxpayer,
  e.original_period, e.recorded_at, e.description
from value.postings v
join books.entries e using (entity_id, entry_id);
comment on view books.value_postings is
  'One row per line of an entry in the reporting currency: two per leg, then the lines that only value has. Corrected entries have none.';
comment on column books.value_postings.line is 'Number of the line within the entry, from 1.';
comment on column books.value_postings.leg is 'Transfer that the line values; null for a line that only value has.';
comment on column books.value_postings.currency is 'Currency of the units.';
comment on column books.value_postings.units is 'Units, debit positive; 0 for a line that only value has.';
comment on column books.value_postings.value is 'Value in value_currency to the cent, debit positive; sums to zero per entry. Null if not known (books.value_findings).';
comment on column books.value_postings.value_currency is 'Reporting currency of the value.';
comment on column books.value_postings.rule is 'Rule that gave the value.';
comment on column books.value_postings.source is 'Record or rate that gave the value; empty if none.';
comment on column books.value_postings.path is 'Way from the currency to the reporting currency: direct, or through the currency of both rates, such as through USD; null without a rate.';
comment on column books.value_postings.age_seconds is 'Age of the rate at the effective date, in seconds; null if no rate was used.';
comment on column books.value_postings.fee_in_cost is 'Fee that became part of a lot''s cost, in value_currency; null if none.';
comment on column books.value_postings.fee_in_proceeds is 'Fee deducted from the proceeds of a disposal, in value_currency; null if none.';
comment on column books.value_postings.fee_expensed is 'Fee booked as an expense, in value_currency; null if none.';
comment on column books.value_postings.spread is 'Spread hidden in a conversion: value given less value received at market rates, in value_currency; part of its cost. Null if none.';
comment on column books.value_postings.memo is 'Note on the line; null if none.';
comment on column books.value_postings.exact is 'Value to 18 decimals, debit positive; null if not known.';

-- The value of each side of each leg, with its rule, source record, price path and price age.
create view books_internal.values as
select entity_id, entry_id, leg, account, currency, trim_scale(units) as units, trim_scale(value) as value, value_currency, rule,
  source, path, make_interval(secs => age_seconds) as age, period, taxpayer
from value.postings
where leg is not null;

-- Every line of value, for the functions that sum them: they read with the rights of whoever calls them.
create view books_internal.value_lines as
select entity_id, entry_id, line, leg, account, currency, units, value, exact, value_currency, rule, period, source, path, age_seconds,
  coalesce(fee_in_cost, fee_in_proceeds, fee_expensed) as fee, fee_in_cost, fee_in_proceeds, fee_expensed
from value.postings;

-- What the lines of an account sum to in a month, for the same functions.
create view books_internal.value_monthly as
select entity_id, period, booked_in, effective_in, account, currency, value_currency, exact, value, debit, credit, unvalued, missing
from value.monthly;

-- The amount that unvalued lines leave open, for the same functions.
create view books_internal.unvalued as
select entity_id, entry_id, line, trim_scale(missing) as missing from value.unvalued;

-- Without what is put right by the end of its month. closed-side: a departure that is cancelled after a closed month received it counts on both sides,
-- unless its arrival is cancelled too. not-arrived: an arrival that is cancelled after a closed month sent it leaves lots in transit, unless they have left it since or
-- the arrival stands again.
create view books.value_findings as
select f.entity_id, f.entry_id, f.finding, f.taxpayer, f.period, f.leg, f.kind, f.severity, f.currency, trim_scale(f.units) as units, f.detail
from value.findings f
where case f.kind
  when 'closed-side' then coalesce((
    select sum(u.units)
    from ledger.entries r
    join ledger.entries own on (own.entity_id, own.stream, own.record_id) = (r.entity_id, r.stream, r.record_id)
    join value.lots l on (l.entity_id, l.entry_id, l.currency) = (own.entity_id, own.entry_id, f.currency) and l.pool = 'in-transit'
    join value.uses u on (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id)
    where (r.entity_id, r.entry_id) = (f.entity_id, f.entry_id) and r.reverses is not null
      and u.use_id like '%/b.%' and u.period <= f.period -- what its arrival brought back
  ), 0) < (
    select sum(side.units) from value.findings side
    where (side.entity_id, side.entry_id, side.kind, side.currency) = (f.entity_id, f.entry_id, f.kind, f.currency)
  )
  when 'not-arrived' then coalesce((
    select bool_or(l.units > coalesce((
        select sum(u.units) from value.uses u where (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id) and u.period <= f.period
      ), 0)) and not bool_or(own.reverses is null and own.period <= f.period and not exists (
        select from ledger.entries u
        where (u.entity_id, u.stream, u.record_id, u.ordinal) = (own.entity_id, own.stream, own.record_id, own.ordinal + 1) and u.period <= f.period
      ))
    from ledger.entries r
    join ledger.entries own on (own.entity_id, own.stream, own.record_id) = (r.entity_id, r.stream, r.record_id)
    join reconcile.own_transfers k on (k.to_entity, k.to_entry_id, k.currency) = (own.entity_id, own.entry_id, f.currency)
    join ledger.entries paired on (paired.entity_id, paired.entry_id) = (k.from_entity, k.from_entry_id)
    join ledger.entries sent on (sent.entity_id, sent.stream, sent.record_id) = (paired.entity_id, paired.stream, paired.record_id)
    join value.lots l on (l.entity_id, l.entry_id, l.currency, l.pool) = (sent.entity_id, sent.entry_id, f.currency, 'in-transit')
    where (r.entity_id, r.entry_id) = (f.entity_id, f.entry_id)
  ), true)
  else true
end;
comment on view books.value_findings is
  'One row per entry or leg without a value, or with a value that rests on an assumption.';
comment on column books.value_findings.finding is 'Number of the finding within the entry.';
comment on column books.value_findings.kind is 'no-rate, no-lot, no-cost, not-understood, rounding, chosen-lot, closed-side, not-arrived, other-amount, transfer-fee or unknown-counterparty.';
comment on column books.value_findings.severity is 'finding counts for the exit code; note does not.';
comment on column books.value_findings.units is 'Units concerned, signed as in the posting.';
comment on column books.value_findings.detail is 'What is missing, in words.';

-- How many findings of a month were accepted for its close, by whom, and who approved that.
create view books_internal.value_acceptances as
select v.entity_id, v.period, v.findings_max, v.by_name as prepared_by, v.reason, v.at as approved_at, v.proposal_id, a.approved_by
from decide.value_acceptances v
join decide.approvals a using (entity_id, proposal_id);

-- The values of each entry as a leaf: SHA-256 of a zero byte and its lines, lots, uses and findings as a JSON array. A lot
-- without an entry is a subject of its own.
create view books_internal.value_leaves as
select v.entity_id, v.period, v.subject, sha256('\x00'::bytea || convert_to(jsonb_build_array(v.entity_id, v.period, v.subject, (
  select jsonb_agg(jsonb_build_array(p.line, p.taxpayer, p.leg, p.account, p.currency, trim_scale(p.units), trim_scale(p.exact),
    trim_scale(p.value), p.value_currency, p.rule, p.source, p.path, p.age_seconds, trim_scale(p.fee_in_cost),
    trim_scale(p.fee_in_proceeds), trim_scale(p.fee_expensed), trim_scale(p.spread), p.memo) order by p.line)
  from value.postings p where (p.entity_id, p.entry_id, p.period) = (v.entity_id, v.entry_id, v.period)
), (
  select jsonb_agg(jsonb_build_array(l.lot_id, l.taxpayer, l.pool, l.currency, l.leg, l.acquired_at, trim_scale(l.units),
    trim_scale(l.cost), l.origin, l.seq, l.method) order by l.lot_id)
  from ( -- one condition for both would read every lot of the month for each subject
    select * from value.lots where (entity_id, entry_id) = (v.entity_id, v.entry_id)
    union all
    select * from value.lots where v.entry_id is null and (entity_id, lot_id) = (v.entity_id, v.subject)
  ) as l where l.period = v.period
), (
  select jsonb_agg(jsonb_build_array(u.use_id, u.taxpayer, u.pool, u.currency, u.leg, u.used_at, u.kind, u.lot_entity_id, u.lot_id,
    u.acquired_at, trim_scale(u.units), trim_scale(u.cost), trim_scale(u.proceeds), trim_scale(u.fee_in_proceeds),
    u.exchanged_for, u.method) order by u.use_id)
  from value.uses u where (u.entity_id, u.entry_id, u.period) = (v.entity_id, v.entry_id, v.period)
), (
  select jsonb_agg(jsonb_build_array(f.finding, f.taxpayer, f.leg, f.kind, f.severity, f.currency, trim_scale(f.units), f.detail)
    order by f.finding)
  from value.findings f where (f.entity_id, f.entry_id, f.period) = (v.entity_id, v.entry_id, v.period)
))::text, 'UTF8')) as leaf
from (
  select entity_id, entry_id, period, entry_id::text as subject from value.postings
  union select entity_id, entry_id, period, entry_id::text from value.uses
  union select entity_id, entry_id, period, entry_id::text from value.findings
  union select entity_id, entry_id, period, coalesce(entry_id::text, lot_id) from value.lots
) as v;

-- The change of every account and every lot in each month, in units, exactly and in value; the sum up to a month is the opening
-- of the next one. A lot has its cost in exact.
create view books_internal.value_by_month as
select entity_id, period, account as subject, currency, sum(units) as units, sum(exact) as exact, sum(value) as value
from value.postings
group by entity_id, period, account, currency
union all
select entity_id, period, 'lot ' || lot_id, currency, sum(units), sum(cost), null
from (
  select entity_id, period, lot_id, currency, units, cost from value.lots
  union all
  select lot_entity_id, period, lot_id, currency, -units, -cost from value.uses where lot_id is not null
) as change
group by entity_id, period, lot_id, currency;

-- The findings of each month that has some, with the number that the last acceptance covers, and their value at the newest price
-- before an instant, if there is one: an estimate, because their exact value is unknown.
create function books_internal.unvalued_months(before timestamptz)
returns table (entity_id text, period text, findings bigint, accepted integer, accepted_by text, estimate numeric, unpriced bigint,
  kinds text)
language sql stable parallel safe as $$
  select g.entity_id, g.period, sum(g.findings)::bigint, coalesce(max(a.findings_max), 0), max(a.prepared_by),
    trim_scale(coalesce(sum(worth.value), 0)), sum(worth.unpriced)::bigint, string_agg(distinct g.kind, ', ')
  from ( -- together what has one price: a month may have ten thousand findings
    select f.entity_id, f.period, f.kind, f.currency, n.currency as reporting, count(*) as findings, array_agg(f.units) as units
    from books.value_findings f left join books.entities n using (entity_id)
    where f.severity = 'finding'
    group by f.entity_id, f.period, f.kind, f.currency, n.currency
  ) as g
  left join lateral (
    select v.findings_max, v.prepared_by from books_internal.value_acceptances v
    where (v.entity_id, v.period) = (g.entity_id, g.period)
    order by v.approved_at desc, v.proposal_id
    limit 1
  ) as a on true
  cross join lateral (
    select books_internal.price_of(g.entity_id, g.currency, g.reporting, unvalued_months.before) as price offset 0
  ) as newest
  cross join lateral (
    select sum(round(abs(u.units) * newest.price, 18)) as value, count(*) filter (where u.units * newest.price is null) as unpriced
    from unnest(g.units) as u (units)
  ) as worth
  group by g.entity_id, g.period
$$;
