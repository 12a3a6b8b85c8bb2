-- Entries in the reporting currency, and what has no value.
-- For: the accountant.
--   psql -f sql/views/17-valuation.sql

-- Entries in the reporting currency, debit positive: two lines for each leg, then those that only value has. value is to the
-- cent and sums to zero per entry; exact is to 18 decimals; null where it is not known, which value_findings tells. An entry
-- that was corrected at its own instant has no lines, and neither has its reversal.
create view books.value_postings as
select v.entity_id, v.entry_id, v.line, v.leg, v.account, v.currency, trim_scale(v.units) as units, trim_scale(v.value) as value,
  v.value_currency, e.effective_at, e.posted_at, v.period, e.kind, e.stream, e.record_id, v.rule, v.source, v.path,
  v.age_seconds, trim_scale(v.fee_in_cost) as fee_in_cost, trim_scale(v.fee_in_proceeds) as fee_in_proceeds,
  trim_scale(v.fee_expensed) as fee_expensed, trim_scale(v.spread) as spread, v.memo, trim_scale(v.exact) as exact, v.taxpayer,
  e.belongs_to, e.recorded_at, e.description
from value.postings v
join books.entries e using (entity_id, entry_id);

-- What each side of each leg is worth, by which rule, told by which record, by which path, and how old that was.
create view books_internal.values as
select entity_id, entry_id, leg, account, currency, trim_scale(units) as units, trim_scale(value) as value, value_currency, rule,
  source, path, make_interval(secs => age_seconds) as age, period, taxpayer
from value.postings
where leg is not null;

-- What lines without a value leave open: what those of an entry must come to together for it to sum to zero, on the first.
create view books_internal.unvalued as
select o.entity_id, o.entry_id, o.line, trim_scale((
    select -coalesce(sum(p.value), 0) from value.postings p where (p.entity_id, p.entry_id) = (o.entity_id, o.entry_id)
  )) as missing
from (
  select entity_id, entry_id, min(line) as line from value.postings where value is null group by entity_id, entry_id
) as o;

-- What has no value, or rests on what nobody said: a finding counts for the exit code, a note does not.
create view books.value_findings as
select entity_id, entry_id, finding, taxpayer, period, leg, kind, severity, currency, trim_scale(units) as units, detail
from value.findings;

-- So many findings of a month were accepted for its close, by whom, and who approved that.
create view books_internal.value_acceptances as
select v.entity_id, v.period, v.findings_max, v.by_name, v.reason, v.at, v.proposal_id, a.approved_by
from decide.value_acceptances v
join decide.approvals a using (entity_id, proposal_id);

-- What each entry came to as a leaf: SHA-256 of a zero byte and its lines, lots, uses and findings as a JSON array. A lot that
-- no entry brought is a subject of its own.
create view books_internal.value_leaves as
select v.entity_id, v.period, v.subject, sha256('\x00'::bytea || convert_to(jsonb_build_array(v.entity_id, v.period, v.subject, (
  select jsonb_agg(jsonb_build_array(p.line, p.taxpayer, p.leg, p.account, p.currency, trim_scale(p.units), trim_scale(p.exact),
    trim_scale(p.value), p.value_currency, p.rule, p.source, p.path, p.age_seconds, trim_scale(p.fee_in_cost),
    trim_scale(p.fee_in_proceeds), trim_scale(p.fee_expensed), trim_scale(p.spread), p.memo) order by p.line)
  from value.postings p where (p.entity_id, p.entry_id, p.period) = (v.entity_id, v.entry_id, v.period)
), (
  select jsonb_agg(jsonb_build_array(l.lot_id, l.taxpayer, l.pool, l.currency, l.leg, l.acquired_at, trim_scale(l.units),
    trim_scale(l.cost), l.origin, l.seq, l.method) order by l.lot_id)
  from value.lots l where l.entity_id = v.entity_id and l.period = v.period
    and case when v.entry_id is null then l.lot_id = v.subject else l.entry_id = v.entry_id end
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

-- What each month brought to every account and every lot, in units, exactly and in value; the sum up to a month is what the
-- next one begins with. A lot carries its cost in exact.
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
) as held
group by entity_id, period, lot_id, currency;

-- The findings of each month that has some, by how many the last acceptance covers, and what they come to at the newest price
-- before an instant, as far as there is one: an estimate, since what they are worth is what is not known.
create function books_internal.unvalued_months(before timestamptz)
returns table (entity_id text, period text, findings bigint, accepted integer, accepted_by text, estimate numeric, unpriced bigint,
  kinds text)
language sql stable parallel safe as $$
  select f.entity_id, f.period, count(*), coalesce(max(a.findings_max), 0), max(a.by_name), trim_scale(coalesce(sum(worth.value), 0)),
    count(*) filter (where worth.value is null), string_agg(distinct f.kind, ', ')
  from books.value_findings f
  left join books.entities n using (entity_id)
  left join lateral (
    select v.findings_max, v.by_name from books_internal.value_acceptances v
    where (v.entity_id, v.period) = (f.entity_id, f.period)
    order by v.at desc, v.proposal_id
    limit 1
  ) as a on true
  cross join lateral (
    select books_internal.value_of(f.entity_id, f.currency, f.units, n.currency, unvalued_months.before) as value offset 0
  ) as worth
  where f.severity = 'finding'
  group by f.entity_id, f.period
$$;
