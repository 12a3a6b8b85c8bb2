-- The analysts' interface: schema books, dropped and recreated whole on every migrate.
-- For: ad hoc SQL, reports, outside checks. Columns are added, never renamed; balances are debit positive.
-- Views are read with their owner's rights, functions with the reader's: so that they stay part of the query that calls
-- them, functions read views of books and no tables. test/roles/analyst.test.ts calls every one of them as the analyst.
--   psql -f sql/views.sql
drop schema if exists books cascade;
create schema books;

-- An amount as the gateway wrote it, or null where it is not one.
create function books.amount_of(value text) returns numeric language sql immutable parallel safe
return case when length(value) < 1000 and value ~ '^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$' then value::numeric end;

-- An instant as the gateway wrote it, or null where it is not one.
create function books.instant_of(value text) returns timestamptz language plpgsql stable strict parallel safe as $$
begin
  if value !~ '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$' then return null; end if;
  return value::timestamptz;
exception when others then return null;
end $$;

-- A payload with the places of personal fields left blank: no exported byte depends on a commitment.
create function books.masked(payload text) returns text language sql immutable strict parallel safe
return regexp_replace(payload, '"personal:[0-9a-f]{64}"', '"(personal)"', 'g');

create view books.entities as
select entity_id, name, subaccount_id, timezone, currency, first_seen_at,
  case when timezone is not null then coalesce(fiscal_year_start, 1) end as fiscal_year_start
from run.entities;

-- Whose books these are, as people said it: every version, and the one in force, of each entity that has books. What nobody
-- said is null, but for the taxpayer (the entity itself), the owner (own) and the cost method (fifo). Timezone,
-- currency and the month in which fiscal years begin are those that the books were begun with, once there is an entry. The books of clients never enter our own totals.
create view books.profile_versions as
select entity_id, version, legal_name, tax_id, taxpayer, owner, currency, timezone, cost_method, by_name, at,
  fiscal_year_start
from decide.profiles;

create view books.profiles as
select n.entity_id, n.name, p.legal_name, p.tax_id, coalesce(p.taxpayer, n.entity_id) as taxpayer, coalesce(p.owner, 'own') as owner,
  coalesce(n.currency, p.currency) as currency, coalesce(n.timezone, p.timezone) as timezone,
  coalesce(p.cost_method, 'fifo') as cost_method, p.version, p.by_name, p.at,
  coalesce(n.fiscal_year_start, p.fiscal_year_start) as fiscal_year_start
from books.entities n
left join lateral (
  select * from decide.profiles v where v.entity_id = n.entity_id order by v.version desc limit 1
) as p on true;

-- The subaccounts that the gateway listed last, by the account whose key asked. is_read: something of it is landed.
create view books.subaccounts as
select l.entity_id as main_entity_id, it.subaccount_id as entity_id, l.listed_at,
  exists (select from land.coverage c where c.entity_id = it.subaccount_id) as is_read
from run.listings l
cross join lateral unnest(l.subaccounts) as it (subaccount_id)
where not exists (
  select from run.listings later where later.entity_id = l.entity_id and later.listing_id > l.listing_id
);

-- run_number is the order in which runs began. A run landed the requests after requests_before up to requests_to, and booked
-- the entries after entries_before up to entries_to; both ends are null for the last run, which may still be going on.
create view books.runs as
select run_id, job, started_at, finished_at, exit_code, requests, summary, pages, pages_fewest,
  round(pages::numeric / nullif(pages_fewest, 0), 3) as pages_ratio, run_number, entries_before,
  lead(entries_before) over (order by run_number) as entries_to, requests_before,
  lead(requests_before) over (order by run_number) as requests_to
from run.runs;

create view books.findings as
select run_id, entity_id, severity, subject, detail from run.findings;

-- posted_at is where an entry counts: when it took effect, or the beginning of its period where the month that it
-- belongs to was closed before. Reports are cut by it, so that no late fact moves a closed month. is_returned: a late entry that
-- went back into its month when that was reopened, or what undid it where it counted: it belongs to no other month any more.
-- is_late: its own month was closed when it was booked, whether it went back there since or not.
create view books.entries as
select e.entity_id, e.entry_id, e.effective_at, e.recorded_at, e.period, e.kind, e.stream, e.record_id, e.version,
  e.reverses, e.description, e.ordinal, e.rule_version, case when not back.is_returned then e.belongs_to end as belongs_to,
  e.entry_number,
  case when e.belongs_to is null then e.effective_at
    else (e.period || '-01')::timestamp at time zone coalesce(n.timezone, 'UTC') end as posted_at, back.is_returned,
  e.belongs_to is not null as is_late
from ledger.entries e
cross join lateral (
  select e.belongs_to is not null and (
    exists (select from ledger.returns k where (k.entity_id, k.entry_id) = (e.entity_id, e.entry_id))
    or exists (select from ledger.returns k where (k.entity_id, k.undone_by) = (e.entity_id, e.entry_id))
  ) as is_returned
) as back
left join run.entities n using (entity_id);

-- The legs of entries as they are kept: an amount that is more than nothing goes from the credit to the debit.
create view books.transfers as
select entity_id, entry_id, leg, debit, credit, currency, amount from ledger.transfers;

create view books.postings as
select e.entity_id, e.entry_id, t.leg, side.account, t.currency, side.amount, e.effective_at, e.period, e.kind, e.stream,
  e.record_id, e.recorded_at, e.belongs_to, e.posted_at, e.reverses, e.entry_number, e.is_late
from books.entries e
join ledger.transfers t using (entity_id, entry_id)
cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount);

-- Whether an entry was undone: the next in its record's chain reverses it.
create function books.is_reversed(entity text, entry uuid) returns boolean language sql stable parallel safe
return exists (
  select from books.entries e
  join books.entries u on (u.entity_id, u.stream, u.record_id, u.ordinal) = (e.entity_id, e.stream, e.record_id, e.ordinal + 1)
  where (e.entity_id, e.entry_id) = (entity, entry) and u.reverses = e.entry_id
);

-- The daily summary: what an account's postings of one UTC day sum to, per instant at which some of them were recorded.
create view books.daily as
select entity_id, account, currency, effective_day, recorded_at, debit, credit
from ledger.daily;

create view books.balances as
select entity_id, account, currency, trim_scale(sum(debit) - sum(credit)) as balance
from books.daily
group by entity_id, account, currency
having sum(debit) <> sum(credit);

-- The least id of an entry that takes effect at an instant or later: ids begin with 48 bits of Unix milliseconds.
create function books.first_entry_id(at timestamptz) returns uuid language sql immutable strict parallel safe
return rpad(lpad(to_hex(
  least(greatest(floor(extract(epoch from at at time zone 'UTC') * 1000), 0), 281474976710655)::bigint
), 12, '0'), 32, '0')::uuid;

-- What each account was debited and credited by all that took effect before `as_of` and was recorded at or before
-- `known_at`: whole UTC days from the summary, the last day's part from its postings, which the ids' time finds.
create function books.totals_known_at(as_of timestamptz, known_at timestamptz)
returns table (entity_id text, account text, currency text, debit numeric, credit numeric)
language sql stable parallel safe as $$
  select part.entity_id, part.account, part.currency, sum(part.debit), sum(part.credit)
  from (
    select d.entity_id, d.account, d.currency, sum(d.debit) as debit, sum(d.credit) as credit
    from books.daily d
    where d.effective_day < (as_of at time zone 'UTC')::date and d.recorded_at <= known_at
    group by d.entity_id, d.account, d.currency
    union all
    select p.entity_id, p.account, p.currency, greatest(p.amount, 0), greatest(-p.amount, 0)
    from books.postings p
    where p.entry_id >= books.first_entry_id(date_trunc('day', as_of at time zone 'UTC') at time zone 'UTC')
      and p.entry_id < books.first_entry_id(as_of + interval '1 ms')
      and p.effective_at < as_of and p.recorded_at <= known_at
  ) as part
  group by part.entity_id, part.account, part.currency
$$;

create function books.balances_known_at(as_of timestamptz, known_at timestamptz)
returns table (entity_id text, account text, currency text, balance numeric) language sql stable parallel safe as $$
  select t.entity_id, t.account, t.currency, trim_scale(t.debit - t.credit)
  from books.totals_known_at(as_of, known_at) t
  where t.debit <> t.credit
$$;

create function books.balances_at(as_of timestamptz)
returns table (entity_id text, account text, currency text, balance numeric) language sql stable parallel safe as $$
  select b.entity_id, b.account, b.currency, b.balance from books.balances_known_at(as_of, 'infinity') b
$$;

-- What each account was debited and credited by all that counts before an instant: as totals_known_at, without what came
-- too late for its own closed month and counts only after. `by`: posted_at; or a month, as if that one had not been closed.
create function books.totals_counted(as_of timestamptz, by text)
returns table (entity_id text, account text, currency text, debit numeric, credit numeric)
language sql stable parallel safe as $$
  select part.entity_id, part.account, part.currency, sum(part.debit), sum(part.credit)
  from (
    select t.entity_id, t.account, t.currency, t.debit, t.credit from books.totals_known_at(as_of, 'infinity') t
    union all
    select p.entity_id, p.account, p.currency, -greatest(p.amount, 0), -greatest(-p.amount, 0)
    from books.postings p
    where p.belongs_to is not null and p.belongs_to <> by and p.effective_at < as_of and p.posted_at >= as_of
  ) as part
  group by part.entity_id, part.account, part.currency
$$;

-- The instant at which the fiscal year of some instant begins: a year of the books' timezone from the first of a month,
-- January where none is given. Whole months are taken off and put back, so that no day is one that a month lacks.
create function books.fiscal_year_start(at timestamptz, timezone text, first_month integer)
returns timestamptz language sql stable parallel safe
return (
  date_trunc('year', date_trunc('month', at at time zone coalesce(timezone, 'UTC')) - make_interval(months => coalesce(first_month, 1) - 1))
  + make_interval(months => coalesce(first_month, 1) - 1)
) at time zone coalesce(timezone, 'UTC');

-- Whether an account begins each fiscal year at zero.
create function books.is_of_year(account text) returns boolean language sql immutable parallel safe
return account like 'income:%' or account like 'expenses:%';

-- As totals_counted, for a period that begins at `since`: income and expenses of the fiscal years before that of `since` are
-- on equity:retained-earnings, which no entry posts to.
create function books.totals_carried(as_of timestamptz, since timestamptz, by text)
returns table (entity_id text, account text, currency text, debit numeric, credit numeric)
language sql stable parallel safe as $$
  select part.entity_id, part.account, part.currency, sum(part.debit), sum(part.credit)
  from (
    select t.entity_id, t.account, t.currency, t.debit, t.credit from books.totals_counted(as_of, by) t
    union all
    select t.entity_id, side.account, t.currency, side.sign * t.debit, side.sign * t.credit
    from (select distinct books.fiscal_year_start(since, n.timezone, n.fiscal_year_start) as starts_at from books.entities n) as year
    cross join lateral books.totals_counted(year.starts_at, by) t
    join books.entities n on n.entity_id = t.entity_id and books.fiscal_year_start(since, n.timezone, n.fiscal_year_start) = year.starts_at
    cross join lateral (values (t.account, -1), ('equity:retained-earnings', 1)) as side (account, sign)
    where books.is_of_year(t.account)
  ) as part
  group by part.entity_id, part.account, part.currency
$$;

-- Every posting that counts in [since, until), with the account across its leg. is_late: it took effect before, in a month
-- that was closed. The others are found by their ids' time, so that a month costs a month. is_undone: a reversal, whose
-- sides are those of what it undoes, changed.
create function books.moves(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, leg smallint, account text, across text, currency text, amount numeric,
  effective_at timestamptz, at timestamptz, is_late boolean, is_undone boolean, period text, belongs_to text, kind text,
  stream text, record_id text, description text)
language sql stable parallel safe as $$
  select e.entity_id, e.entry_id, t.leg, side.account, side.across, t.currency, side.amount, e.effective_at, e.at,
    e.effective_at < since, e.kind = 'reversal', e.period, e.belongs_to, e.kind, e.stream, e.record_id, e.description
  from (
    select own.*, case when own.belongs_to = by then own.effective_at else own.posted_at end as at
    from books.entries own
    where own.entry_id >= books.first_entry_id(since) and own.entry_id < books.first_entry_id(until + interval '1 ms')
      and own.effective_at >= since and own.effective_at < until
      and ((own.belongs_to is null and not own.is_returned) or own.belongs_to = by or own.posted_at < until)
    union all
    select late.*, late.posted_at
    from books.entries late
    where (late.belongs_to <> by or late.is_returned) and late.effective_at < since
      and late.posted_at >= since and late.posted_at < until
  ) as e
  join books.transfers t using (entity_id, entry_id)
  cross join lateral (values (t.debit, t.credit, t.amount), (t.credit, t.debit, -t.amount)) as side (account, across, amount)
$$;

-- Whether an account carries what is held: every asset but withheld tax, which the tax office owes.
create function books.is_holding(account text) returns boolean language sql immutable parallel safe
return account like 'assets:%' and account <> 'assets:tax-withheld';

-- What a move of a holding is, by the account across: what a reversal undoes is what it was.
create function books.move_of(across text, amount numeric, is_undone boolean, is_late boolean) returns text
language sql immutable parallel safe
return case
  when is_late then 'late'
  when across is null or books.is_holding(across) then 'within'
  when across like 'expenses:fees:%' then 'fee'
  when across like 'income:%' then 'reward'
  when across = 'equity:opening' then 'opened'
  when across = 'equity:conversion' then case when (amount > 0) <> is_undone then 'traded in' else 'traded out' end
  when (amount > 0) <> is_undone then 'in'
  else 'out'
end;

-- Money of a state, by its code in ISO 4217. A token that follows one is not it.
create function books.is_fiat(currency text) returns boolean language sql immutable strict parallel safe
return currency in ('AED', 'ARS', 'AUD', 'BGN', 'BRL', 'CAD', 'CHF', 'CLP', 'CNY', 'COP', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HRK',
  'HUF', 'IDR', 'ILS', 'INR', 'ISK', 'JPY', 'KRW', 'MXN', 'MYR', 'NGN', 'NOK', 'NZD', 'PEN', 'PHP', 'PLN', 'RON', 'RUB', 'SAR',
  'SEK', 'SGD', 'THB', 'TRY', 'TWD', 'UAH', 'USD', 'UYU', 'VND', 'ZAR');

-- Where an account stands in the statements: the code and class of the longest pattern that it begins with. equity:external
-- is what lies outside the platform, and no equity of ours. An account map for another program stands beside it.
create view books.chart as
select pattern, code, name, statement, statement_class
from (values
  ('assets:', '1900', 'Other assets', 'balance sheet', 'assets'),
  ('assets:trading', '1110', 'Trading wallet', 'balance sheet', 'assets'),
  ('assets:trading-bots', '1120', 'Trading bots', 'balance sheet', 'assets'),
  ('assets:pocket:', '1130', 'Pockets', 'balance sheet', 'assets'),
  ('assets:earn', '1140', 'Earn wallets', 'balance sheet', 'assets'),
  ('assets:clearing:', '1150', 'In transit', 'balance sheet', 'assets'),
  ('assets:tax-withheld', '1160', 'Withholding tax receivable', 'balance sheet', 'receivables'),
  ('assets:cost-differences', '1170', 'Cost differences', 'balance sheet', 'assets'),
  ('liabilities:', '2900', 'Other liabilities', 'balance sheet', 'liabilities'),
  ('liabilities:working-capital', '2110', 'Working capital', 'balance sheet', 'liabilities'),
  ('equity:', '3900', 'Other equity', 'balance sheet', 'equity'),
  ('equity:opening', '3110', 'Opening balances', 'balance sheet', 'equity'),
  ('equity:retained-earnings', '3120', 'Retained earnings', 'balance sheet', 'equity'),
  ('equity:conversion', '3210', 'Conversion', 'balance sheet', 'conversion'),
  ('equity:external:', '3310', 'Outside the platform', 'balance sheet', 'outside the platform'),
  ('income:', '4900', 'Other income', 'income statement', 'income'),
  ('income:rewards', '4110', 'Rewards', 'income statement', 'income'),
  ('income:gains:realised', '4210', 'Realised gains', 'income statement', 'income'),
  ('income:gains:fx', '4220', 'Foreign exchange gains', 'income statement', 'income'),
  ('expenses:', '5900', 'Other expenses', 'income statement', 'expenses'),
  ('expenses:fees:', '5190', 'Other fees', 'income statement', 'expenses'),
  ('expenses:fees:trading', '5110', 'Trading fees', 'income statement', 'expenses'),
  ('expenses:fees:network', '5120', 'Network fees', 'income statement', 'expenses'),
  ('expenses:fees:teller', '5130', 'Teller fees', 'income statement', 'expenses'),
  ('expenses:losses:realised', '5210', 'Realised losses', 'income statement', 'expenses'),
  ('expenses:losses:fx', '5220', 'Foreign exchange losses', 'income statement', 'expenses'),
  ('expenses:rounding', '5310', 'Rounding', 'income statement', 'expenses')
) as chart (pattern, code, name, statement, statement_class);

create function books.chart_of(account text) returns table (code text, name text, statement text, statement_class text)
language sql stable parallel safe as $$
  select c.code, c.name, c.statement, c.statement_class
  from books.chart c
  where starts_with(chart_of.account, c.pattern)
  order by length(c.pattern) desc
  limit 1
$$;

-- The latest version of each landed record, and what became of it.
create view books.records as
select r.entity_id, r.stream, r.record_id, r.version, r.scope, r.record_at, r.landed_at, r.payload,
  case o.outcome when 'set-aside' then 'set aside: ' || o.reason else coalesce(o.outcome, 'not yet normalized') end as outcome,
  o.reason, o.rule_version, r.request_id
from land.records r
left join ledger.outcomes o using (entity_id, stream, record_id, version)
where not exists (
  select from land.records newer
  where (newer.entity_id, newer.stream, newer.record_id) = (r.entity_id, r.stream, r.record_id) and newer.version > r.version
);

create view books.movements as
select r.entity_id, r.record_id, r.version, j ->> 'walletId' as wallet_id, books.amount_of(j ->> 'amount') as amount,
  j ->> 'currency' as currency, j ->> 'movementType' as movement_type, j ->> 'serviceOrderName' as origin,
  j ->> 'status' as status, books.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'movements';

create view books.trades as
select r.entity_id, r.record_id, r.version, j ->> 'orderId' as order_id, j ->> 'symbol' as symbol, j ->> 'side' as side,
  j ->> 'orderType' as order_type, books.amount_of(j ->> 'price') as price, j ->> 'priceCurrency' as price_currency,
  books.amount_of(j ->> 'amount') as amount, j ->> 'amountCurrency' as amount_currency,
  books.amount_of(j ->> 'cost') as cost, books.amount_of(j ->> 'costEuro') as cost_euro,
  books.amount_of(j ->> 'feeAmount') as fee_amount, j ->> 'feeCurrency' as fee_currency,
  books.amount_of(j ->> 'feePercentage') as fee_percentage, (j ->> 'isMaker') = 'true' as is_maker,
  books.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason, r.request_id
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'trades';

create view books.wallet_transactions as
select r.entity_id, r.record_id, r.version, j ->> 'type' as type, j ->> 'subtype' as subtype, j ->> 'method' as method,
  j ->> 'status' as status, books.instant_of(j ->> 'date') as date,
  books.instant_of(j ->> 'completedAt') as completed_at, books.instant_of(j ->> 'canceledAt') as canceled_at,
  j #>> '{origin,class}' as origin_class, j #>> '{origin,pocketId}' as origin_pocket_id,
  j #>> '{origin,currency}' as origin_currency, books.amount_of(j #>> '{origin,amount}') as origin_amount,
  j #>> '{destination,class}' as destination_class, j #>> '{destination,pocketId}' as destination_pocket_id,
  j #>> '{destination,currency}' as destination_currency,
  books.amount_of(j #>> '{destination,amount}') as destination_amount,
  books.amount_of(j #>> '{destination,amountAfterFees}') as destination_amount_after_fees,
  books.amount_of(j #>> '{denomination,amount}') as denomination_amount,
  j #>> '{denomination,currency}' as denomination_currency, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'wallet-transactions';

create view books.earn_movements as
select r.entity_id, r.record_id, r.version, r.scope as wallet_id, j ->> 'type' as type,
  books.amount_of(j #>> '{amount,value}') as amount, j #>> '{amount,currency}' as currency,
  books.instant_of(j ->> 'createdAt') as created_at, r.landed_at, r.outcome, r.reason
from books.records r cross join lateral (select r.payload::jsonb as j) as parsed
where r.stream = 'earn-movements';

-- What may be shown of a bank account: its country and its last four characters, and nothing of a short one. Null once the
-- person is erased.
create view books.masked_accounts as
select p.entity_id, p.stream, p.record_id, p.version, split_part(p.path, '.', 1) as side,
  case when length(v) >= 12 then substring(v from '^[A-Za-z]{2}') else '' end || '****'
    || case when length(v) >= 12 then right(v, 4) else '' end as account
from land.people p
cross join lateral (select regexp_replace(p.value, '[^0-9A-Za-z]', '', 'g') as v) as plain
where p.path in ('origin.bankAccount', 'destination.bankAccount', 'origin.iban', 'destination.iban');

-- Versions that a later one is expected of: few, and found without reading history.
create view books.not_final as
select entity_id, stream, record_id, version from ledger.outcomes where not final;

-- Whether one person may prepare and approve, version by version; without any, two people are needed.
create view books.duties as
select version, is_one_person, by_name, reason, at from decide.duties;

-- What waived breaks and unvalued items of one entity's month may be worth together; the last version is in force.
create view books.budgets as
select b.entity_id, b.version, b.ceiling, b.by_name, b.reason, b.at, b.proposal_id, a.approved_by
from decide.budgets b
join decide.approvals a using (entity_id, proposal_id);

-- What people proposed and another person approved or refused. legs: [debit, credit, currency, amount] each, of an entry; a
-- change books none, and period is the month that it is for. duties_version: by which setting one person did both.
create view books.proposals as
select p.entity_id, p.proposal_id, p.action, coalesce(a.verdict, 'waiting') as verdict, c ->> 'effective_at' as effective_at,
  c ->> 'description' as description, c -> 'legs' as legs, c ->> 'stream' as stream, c ->> 'record_id' as record_id,
  (c ->> 'version')::int as version, c ->> 'reverses' as reverses, p.reason, p.evidence_name, p.evidence_sha256, p.prepared_by,
  p.prepared_at, a.approved_by, a.approved_at, a.reason as verdict_reason, p.content, p.content_sha256, c ->> 'period' as period,
  a.duties_version
from decide.proposals p
cross join lateral (
  select case when p.action not in ('rates', 'lots', 'counterparties', 'profiles') then p.content::jsonb end as c
) as parsed
left join decide.approvals a using (entity_id, proposal_id);

-- Entries of people, with who asked, who agreed, and what they showed for it. Begun from the proposals, which are few.
create view books.manual_entries as
select e.entity_id, e.entry_id, e.effective_at, e.posted_at, e.period, e.belongs_to, e.kind, p.action, p.proposal_id,
  e.description, p.reason, p.evidence_name, p.evidence_sha256, p.prepared_by, p.prepared_at, p.approved_by, p.approved_at,
  p.stream as about_stream, p.record_id as about_record_id, e.reverses, u.entry_id as reversed_by, (
    select string_agg(format('%s <- %s %s %s', t.debit, t.credit, trim_scale(t.amount), t.currency), '; ' order by t.leg)
    from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)
  ) as legs
from books.proposals p
join books.entries e on (e.entity_id, e.stream, e.record_id, e.kind) = (
  p.entity_id, 'manual', case p.action when 'reverse' then p.record_id else p.proposal_id end,
  case p.action when 'reverse' then 'reversal' else 'manual' end
)
left join ledger.entries u on (u.entity_id, u.stream, u.record_id, u.ordinal) = (e.entity_id, 'manual', e.record_id, e.ordinal + 1)
  and u.reverses = e.entry_id
where p.verdict = 'approved' and p.action in ('open', 'adjust', 'settle', 'reverse') and not exists ( -- a reopening posts it again
  select from ledger.entries later
  where (later.entity_id, later.stream, later.record_id, later.kind) = (e.entity_id, e.stream, e.record_id, e.kind)
    and later.ordinal > e.ordinal
);

-- What people decided about rejects: settled by an entry that stands, or dismissed.
create view books.reject_decisions as
select m.entity_id, p.stream, p.record_id, p.version, 'settled' as decision, m.prepared_by as decided_by,
  m.reason as decision_reason, m.approved_at as decided_at
from books.manual_entries m
join books.proposals p using (entity_id, proposal_id)
where m.action = 'settle' and m.reversed_by is null
union all
select d.entity_id, d.stream, d.record_id, d.version, 'dismissed', d.by_name, d.reason, d.at
from decide.dismissals d
where not exists (
  select from books.manual_entries m
  join books.proposals p using (entity_id, proposal_id)
  where (m.entity_id, p.stream, p.record_id, p.version) = (d.entity_id, d.stream, d.record_id, d.version)
    and m.action = 'settle' and m.reversed_by is null
);

-- Records whose latest version no rule accepts. decision: settled or dismissed by a person; such a reject stays one, and
-- no longer counts for an exit code or a close. effective_at: when it took effect by its own words, where they can be read.
create view books.rejects as
select o.entity_id, o.stream, o.record_id, o.reason, books.masked(r.payload) as payload, o.version, r.record_at, r.landed_at,
  d.decision, d.decided_by, d.decision_reason, d.decided_at,
  case o.stream
    when 'wallet-transactions' then coalesce(books.instant_of(r.payload::jsonb ->> 'completedAt'), r.record_at)
    else r.record_at
  end as effective_at
from ledger.outcomes o
join land.records r using (entity_id, stream, record_id, version)
left join books.reject_decisions d using (entity_id, stream, record_id, version)
where o.outcome = 'rejected' and not exists (
  select from land.records newer
  where (newer.entity_id, newer.stream, newer.record_id) = (o.entity_id, o.stream, o.record_id) and newer.version > o.version
);

-- Closed months, and those opened again. root is that of a hash tree over the entries of the period (RFC 6962, section
-- 2.1), in the order of their ids; the seal is all that was sealed, as canonical JSON.
create view books.seals as
select s.entity_id, s.period, s.seal_number, case when o.at is null then 'closed' else 'reopened' end as status, s.entries,
  s.root, encode(sha256(convert_to(s.seal, 'UTF8')), 'hex') as seal_sha256, s.prepared_by,
  coalesce(a.approved_by, 'no segregation of duties') as approved_by, s.sealed_at, a.approved_at, o.by_name as reopened_by,
  o.at as reopened_at, o.reason as reopen_reason, s.seal
from decide.seals s
left join decide.seal_approvals a using (entity_id, period, seal_number)
left join decide.reopenings o using (entity_id, period, seal_number);

-- The last closed month of each entity: everything up to it is closed.
create view books.closed_through as
select entity_id, max(period) as through from books.seals where status = 'closed' group by entity_id;

-- The reports of closed months as they were sealed.
create view books.sealed_files as
select f.entity_id, f.period, f.name, f.part, f.content
from decide.seal_files f
where not exists (
  select from decide.reopenings o where (o.entity_id, o.period, o.seal_number) = (f.entity_id, f.period, f.seal_number)
);

-- The leaf of each entry: SHA-256 of a zero byte and the entry as a JSON array, everything in it as text.
create view books.entry_leaves as
select e.entity_id, e.entry_id, e.period, sha256('\x00'::bytea || convert_to(jsonb_build_array(
  e.entity_id, e.entry_id, to_char(e.effective_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), e.period, e.belongs_to, e.kind, e.stream,
  e.record_id, e.version::text, e.ordinal::text, e.reverses, e.rule_version::text, e.description, (
    select jsonb_agg(jsonb_build_array(t.leg::text, t.debit, t.credit, t.currency, trim_scale(t.amount)::text) order by t.leg)
    from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)
  ))::text, 'UTF8')) as leaf
from ledger.entries e;

-- The life of a record in one reading: each version as it was landed, what became of it, the entries that it caused and
-- what they undo. A version that booked nothing has no entry; one that a changed rule decided again says when and by whom.
-- Read it `order by version, ordinal`.
create view books.chain as
select r.entity_id, r.stream, r.record_id, r.version, r.landed_at, encode(r.digest, 'hex') as digest,
  case o.outcome when 'set-aside' then 'set aside: ' || o.reason else coalesce(o.outcome, 'not yet normalized') end as outcome,
  o.reason, coalesce(e.rule_version, o.rule_version) as rule_version, e.ordinal, e.entry_id, e.kind, e.effective_at,
  e.recorded_at, e.period, e.reverses, s.at as restated_at, s.by_name as restated_by, s.reason as restated_because
from land.records r
left join ledger.outcomes o using (entity_id, stream, record_id, version)
left join ledger.entries e using (entity_id, stream, record_id, version)
left join ledger.restatements s on (s.entity_id, s.stream, s.record_id, s.version, s.at)
  = (e.entity_id, e.stream, e.record_id, e.version, e.recorded_at);

-- Every record that a changed rule decided otherwise, and what the rule before it had said.
create view books.restatements as
select entity_id, stream, record_id, version, ordinal, at, by_name, reason, from_rule, to_rule, was_outcome, was_reason
from ledger.restatements;

-- Landed = booked + rejected + set aside, per stream; undecided is 0 whenever no stage is at work.
create view books.conservation as
select entity_id, stream, count(*) as landed, count(*) filter (where outcome = 'booked') as booked,
  count(*) filter (where outcome = 'rejected') as rejected, count(*) filter (where outcome like 'set aside%') as set_aside,
  count(*) filter (where outcome = 'not yet normalized') as undecided
from books.records
group by entity_id, stream;

-- An id as a number, for sums that no order changes: the first 60 bits of its SHA-256.
create function books.id_digest(id text) returns bigint language sql immutable strict parallel safe
return ('x' || left(encode(sha256(convert_to(id, 'UTF8')), 'hex'), 15))::bit(60)::bigint;

-- Each record twice, from two sides that know nothing of each other: as landed, and as decided upon. `at` is its own time,
-- or when it was landed where that cannot be read. Rule version 0: not decided upon.
create view books.conservation_ids as
select entity_id, stream, record_id, coalesce(record_at, landed_at) as at, coalesce(rule_version, 0) as rule_version,
  'landed' as said, books.id_digest(record_id) as digest
from books.records
union all
select o.entity_id, o.stream, o.record_id, coalesce(r.record_at, r.landed_at), o.rule_version, o.outcome,
  books.id_digest(o.record_id)
from ledger.outcomes o
left join land.records r using (entity_id, stream, record_id, version)
where not exists (
  select from ledger.outcomes newer
  where (newer.entity_id, newer.stream, newer.record_id) = (o.entity_id, o.stream, o.record_id) and newer.version > o.version
);

-- What the gateway told of each record that is booked or set aside: which amount went into, or out of, which of our own
-- accounts. Read from the payload alone, and not by the rules that book: the two must come to the same sums. `offset 0`
-- has each payload parsed once.
create view books.told as
select r.entity_id, r.stream, r.record_id, r.outcome,
  case j ->> 'movementType' when 'deposit' then 'into trading' when 'withdrawal' then 'out of trading' end as side,
  j ->> 'currency' as currency, books.amount_of(j ->> 'amount') as amount, r.rule_version, coalesce(r.record_at, r.landed_at) as at
from books.records r cross join lateral (select r.payload::jsonb as j offset 0) as parsed
where r.stream = 'movements' and (r.outcome = 'booked' or r.outcome like 'set aside%')
union all
select r.entity_id, r.stream, r.record_id, r.outcome, part.side, part.currency, books.amount_of(part.amount), r.rule_version,
  coalesce(r.record_at, r.landed_at)
from books.records r
cross join lateral (select r.payload::jsonb as j offset 0) as parsed
cross join lateral (values
  (case j ->> 'side' when 'buy' then 'into trading' when 'sell' then 'out of trading' end,
    split_part(j ->> 'symbol', '/', 1), j ->> 'amount'),
  (case j ->> 'side' when 'sell' then 'into trading' when 'buy' then 'out of trading' end,
    split_part(j ->> 'symbol', '/', 2), j ->> 'cost'),
  ('trading fees', j ->> 'feeCurrency', j ->> 'feeAmount')
) as part (side, currency, amount)
where r.stream = 'trades' and (r.outcome = 'booked' or r.outcome like 'set aside%')
union all
select r.entity_id, r.stream, r.record_id, r.outcome, part.side, part.currency, part.amount, r.rule_version,
  coalesce(r.record_at, r.landed_at)
from books.records r
left join (
  select entity_id, array_remove(array_agg(distinct lower(p.pocket_id)), null) as pockets
  from land.snapshots left join land.pockets p using (entity_id)
  where product = 'pocket'
  group by entity_id
) as own using (entity_id)
cross join lateral (
  select j, j #> '{fee,teller}' as teller, j #>> '{destination,currency}' as currency, -- of what is received
    -- An incoming origin may be a class alone; where there is none, a gift is received as it is, and the rest was paid for.
    coalesce(books.amount_of(j #>> '{origin,amount}'),
      books.amount_of(coalesce(j #>> '{destination,amount}', j #>> '{destination,amountAfterFees}'))) as sent,
    case
      when j #>> '{origin,class}' is not null then coalesce(j #>> '{origin,currency}', j #>> '{destination,currency}')
      when j ->> 'method' in ('promo-referral', 'profit-share') or j ->> 'subtype' = 'reimbursement' then j #>> '{destination,currency}'
      else coalesce(j #>> '{denomination,currency}', j #>> '{destination,currency}')
    end as sent_currency,
    books.amount_of(j #>> '{fee,network,amount}') as network, j #>> '{fee,network,currency}' as network_currency,
    books.amount_of(coalesce(j #>> '{destination,amountAfterFees}', j #>> '{destination,amount}')) as received,
    -- A pocket that was never listed is somebody else's; where the list was never read, every pocket is our own.
    case
      when j #>> '{origin,class}' in ('trading', 'earn') then 'clearing'
      when j #>> '{origin,class}' = 'pocket' and coalesce(lower(j #>> '{origin,pocketId}') = any (own.pockets), true) then 'pockets'
    end as origin,
    case
      when j #>> '{destination,class}' in ('trading', 'earn') then 'clearing'
      when j #>> '{destination,class}' = 'pocket' and coalesce(lower(j #>> '{destination,pocketId}') = any (own.pockets), true)
        then 'pockets'
    end as destination
  from (select r.payload::jsonb as j offset 0) as parsed
  offset 0
) as parsed
cross join lateral (
  -- A fee that is named though nothing is missing between the sides was paid on top, by our own pocket.
  select coalesce(sum(books.amount_of(named)), 0) as amount
  from unnest(array[
    case when network_currency = sent_currency then j #>> '{fee,network,amount}' end, j #>> '{fee,mercantile,amount}',
    j #>> '{fee,fixedFee}', j #>> '{fee,variableFee}', teller ->> 'fixedFee', teller ->> 'variableFee',
    case when coalesce(teller ->> 'fixedFee', teller ->> 'variableFee') is null then teller #>> '{fixed,amount}' end,
    case when coalesce(teller ->> 'fixedFee', teller ->> 'variableFee') is null then teller #>> '{variable,amount}' end
  ]) as named
  where origin = 'pockets' and sent = received and sent_currency = currency
) as on_top
cross join lateral (values
  ('into ' || destination, currency, received),
  ('out of ' || origin, sent_currency, sent + on_top.amount),
  -- The network's fee may be in another coin: it leaves our only pocket of that coin, or nobody says which.
  (case
    when network > 0 and network_currency not in (sent_currency, currency)
      and (sent_currency <> currency or origin = 'pockets' and sent = received)
    then case (select count(*) from land.pockets p where (p.entity_id, p.currency) = (r.entity_id, network_currency))
      when 1 then 'out of pockets' else 'out of clearing' end
  end, network_currency, network)
) as part (side, currency, amount)
where r.stream = 'wallet-transactions' and (r.outcome = 'booked' or r.outcome like 'set aside%')
union all
select r.entity_id, r.stream, r.record_id, r.outcome, part.side, j #>> '{amount,currency}', part.amount, r.rule_version,
  coalesce(r.record_at, r.landed_at)
from books.records r
cross join lateral (select r.payload::jsonb as j offset 0) as parsed
cross join lateral (
  select books.amount_of(j #>> '{amount,value}') as gross,
    books.amount_of(coalesce(j #>> '{netAmount,value}', j ->> 'netAmount')) as net,
    books.amount_of(coalesce(j #>> '{withholdingAmount,value}', j ->> 'withholdingAmount')) as withheld
  offset 0
) as given
cross join lateral (values
  (case j ->> 'type' when 'withdrawal' then 'out of earn' else 'into earn' end,
    case j ->> 'type' when 'withdrawal' then coalesce(net + withheld, gross) else coalesce(net, gross - coalesce(withheld, 0)) end),
  ('tax withheld', coalesce(withheld, gross - net))
) as part (side, amount)
where r.stream = 'earn-movements' and (r.outcome = 'booked' or r.outcome like 'set aside%');

-- Which of our own accounts a leg goes into, and out of which; wallet transactions alone speak of clearing.
create function books.sides(stream text, debit text, credit text) returns table (side text) language sql immutable parallel safe as $$
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
  ) as it (side)
  where side is not null
$$;

-- What the entries of each landed record moved. A reversal takes back what it undoes. What people entered is no record's
-- doing, and is left out. (An entry whose record never landed is found by `verify ledger`.)
create view books.booked_legs as
select r.entity_id, r.stream, r.record_id, r.rule_version, coalesce(r.record_at, r.landed_at) as at, leg.debit, leg.credit,
  t.currency, leg.amount
from books.records r
join ledger.entries e using (entity_id, stream, record_id)
join ledger.transfers t using (entity_id, entry_id)
left join ledger.entries u on (u.entity_id, u.entry_id) = (e.entity_id, e.reverses)
cross join lateral (
  select case when e.reverses is null then t.debit else t.credit end as debit,
    case when e.reverses is null then t.credit else t.debit end as credit,
    case when e.reverses is null then t.amount else -t.amount end as amount
) as leg
where coalesce(u.kind, e.kind) <> 'manual';

-- The same sides as `told`, from the ledger.
create view books.booked as
select l.entity_id, l.stream, l.record_id, s.side, l.currency, l.amount, l.rule_version, l.at
from books.booked_legs l cross join lateral books.sides(l.stream, l.debit, l.credit) as s;

-- The proof in counts, per stream and rule version: landed = booked + rejected + set aside, and the ids say the same. `_ids`
-- is the sum of `books.id_digest` over the records, so landed_ids = booked_ids + rejected_ids + set_aside_ids.
create view books.conservation_proof as
select entity_id, stream, rule_version, count(*) filter (where said = 'landed') as landed,
  count(*) filter (where said = 'booked') as booked, count(*) filter (where said = 'rejected') as rejected,
  count(*) filter (where said = 'set-aside') as set_aside,
  coalesce(sum(digest) filter (where said = 'landed'), 0) as landed_ids,
  coalesce(sum(digest) filter (where said = 'booked'), 0) as booked_ids,
  coalesce(sum(digest) filter (where said = 'rejected'), 0) as rejected_ids,
  coalesce(sum(digest) filter (where said = 'set-aside'), 0) as set_aside_ids
from books.conservation_ids
group by entity_id, stream, rule_version;

-- The amounts of both sides, line by line: `landed` as told, of which `set_aside` waits or was cancelled; `booked` as the
-- ledger has it. What is rejected may hold no amount at all, so it is only counted. Not compared: the other end of each leg
-- (clearing of trading's and Earn's own view, bots, banks, chains, cards, people), which its balance and the tie-outs prove.
create view books.conservation_lines as
select entity_id, stream, record_id, at, rule_version, side, currency, coalesce(amount, 0) as landed, 0::numeric as booked,
  case outcome when 'booked' then 0 else coalesce(amount, 0) end as set_aside
from books.told
where side is not null and currency is not null
union all
select entity_id, stream, record_id, at, coalesce(rule_version, 0), side, currency, 0, amount, 0
from books.booked;

-- The proof in amounts, per stream, rule version, side and currency: landed = booked + set aside.
create view books.conservation_sums as
select entity_id, stream, rule_version, side, currency, trim_scale(sum(landed)) as landed, trim_scale(sum(booked)) as booked,
  trim_scale(sum(set_aside)) as set_aside, trim_scale(sum(landed) - sum(booked) - sum(set_aside)) as difference
from (
  select entity_id, stream, rule_version, side, currency, coalesce(sum(amount), 0) as landed, 0 as booked,
    coalesce(sum(amount) filter (where outcome <> 'booked'), 0) as set_aside
  from books.told
  where side is not null and currency is not null
  group by entity_id, stream, rule_version, side, currency
  union all
  select l.entity_id, l.stream, coalesce(l.rule_version, 0), s.side, l.currency, 0, l.amount, 0
  from (
    select entity_id, stream, rule_version, debit, credit, currency, sum(amount) as amount
    from books.booked_legs
    group by entity_id, stream, rule_version, debit, credit, currency
  ) as l
  cross join lateral books.sides(l.stream, l.debit, l.credit) as s
) as summed
group by entity_id, stream, rule_version, side, currency;

-- What each run proved when it had booked for the last time.
create view books.run_conservation as
select c.run_id, c.entity_id, c.stream, c.rule_version, c.landed, c.booked, c.rejected, c.set_aside, c.landed_ids, c.booked_ids,
  c.rejected_ids, c.set_aside_ids, c.sums
from run.conservation c
where not exists (
  select from run.conservation later
  where (later.entity_id, later.run_id) = (c.entity_id, c.run_id) and later.reading > c.reading
);

-- What the gateway reported, list by list: a row for each item, one of nulls for an empty list. `account` is where it is
-- booked.
create view books.readings as
select s.entity_id, s.run_id, s.request_id, s.product, s.phase, s.taken_at, b.item_id,
  case s.product when 'pocket' then 'assets:pocket:' || lower(b.item_id) else 'assets:' || s.product end as account, b.currency,
  b.balance, b.blocked, b.total
from land.snapshots s
left join land.balances b using (entity_id, request_id);

-- Whether a wallet or pocket is in the last list that was read of its product; true where none ever was. A trading wallet
-- is named by its currency.
create function books.is_listed(entity text, product text, item text) returns boolean language sql stable parallel safe as $$
  select coalesce((
    select exists (
      select from books.readings b
      where (b.entity_id, b.request_id) = (s.entity_id, s.request_id)
        and is_listed.item = case s.product when 'trading' then b.currency when 'pocket' then lower(b.item_id) else b.item_id end
    )
    from books.readings s
    where s.entity_id = is_listed.entity and s.product = is_listed.product
    order by s.request_id desc limit 1
  ), true)
$$;

-- The lists of records that were read: one of each stream, and one of each Earn wallet, which is its scope.
create view books.lists as
select entity_id, stream, scope, newest_at from land.coverage;

create view books.coverage as
select c.entity_id, c.stream, lower(stretch) as covered_from, upper(stretch) as covered_to,
  (
    select count(distinct r.record_id) from land.records r
    where (r.entity_id, r.stream, r.scope) = (c.entity_id, c.stream, c.scope)
      and r.record_at >= lower(stretch) and r.record_at < upper(stretch)
  ) as records,
  c.scope
from land.coverage c cross join lateral unnest(c.covered) as stretch;

-- What currencies were worth: units of `currency` for one of `quote`, as told. source: rates and chart are the gateway's,
-- ecb a file of official rates, of which the newest counts; a day's rate holds from 16:00 in Frankfurt, when it is published.
create view books.rates as
select r.currency, 'USD' as quote, r.at, trim_scale(r.rate) as rate, l.source,
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

-- What was told beside records and balances: balances as numbers, limits of working capital, the catalogue of currencies.
create view books.answers as
select a.entity_id, r.run_id, a.request_id, a.operation, a.taken_at, a.payload
from land.answers a join land.requests r using (entity_id, request_id);

-- Every currency that the last catalogue named, whichever entity asked for it.
create view books.currencies as
select c.key as currency, c.value as name, last.taken_at
from (
  select payload, taken_at from land.answers where operation = 'catalog' order by request_id desc limit 1
) as last
cross join lateral jsonb_each_text(last.payload::jsonb) as c;

-- Answers that told rates: how many, and how many of them were null or no positive number and so are not used.
create view books.rate_lists as
select entity_id, request_id, source, subject, at, told, skipped from land.rate_lists;

-- Files of official rates that people handed in.
create view books.rate_files as
select f.entity_id, f.file_id, f.source, f.name, f.sha256, f.by_name, f.at,
  (select count(*) from land.official_rates o where (o.entity_id, o.file_id) = (f.entity_id, f.file_id)) as rates
from land.official_files f;

-- How many records a list holds by the gateway's last word, where it says so, and how many distinct ones are landed.
create view books.list_totals as
select c.entity_id, c.stream, c.scope, last.list_total as total, c.landed
from land.coverage c
cross join lateral (
  select p.list_total from land.pages p
  where (p.entity_id, p.stream, p.scope) = (c.entity_id, c.stream, c.scope) and p.list_total is not null
  order by p.request_id desc limit 1
) as last;

create view books.coverage_gaps as
select entity_id, stream, lower(gap) as gap_from, upper(gap) as gap_to, scope
from land.coverage
cross join lateral unnest(tstzmultirange(tstzrange(lower(covered), upper(covered))) - covered) as gap;

-- A run that compared again has several readings: its last one counts.
create view books.tie_outs as
select run_id, entity_id, account, currency, as_of, reported, booked, difference, status, reason
from reconcile.tie_outs t
where not exists (
  select from reconcile.tie_outs later
  where (later.entity_id, later.run_id) = (t.entity_id, t.run_id) and later.reading > t.reading
);

-- The newest comparison of each account and currency.
create view books.newest_tie_outs as
select entity_id, account, currency, as_of, reported, booked, difference, status, reason, run_id
from (
  select t.*, row_number() over (
    partition by t.entity_id, t.account, t.currency order by r.run_number desc
  ) as newest
  from books.tie_outs t
  join run.runs r using (run_id)
) as tie_out
where newest = 1;

-- When each entity's books were compared with the gateway last: the beginning of that run.
create view books.last_compared as
select n.entity_id, r.run_id, r.started_at as compared_at
from run.entities n
cross join lateral (
  select r.run_id, r.started_at from run.runs r
  where exists (select from reconcile.tie_outs t where (t.entity_id, t.run_id) = (n.entity_id, r.run_id))
  order by r.run_number desc limit 1
) as r;

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
create view books.values as
select entity_id, entry_id, leg, account, currency, trim_scale(units) as units, trim_scale(value) as value, value_currency, rule,
  source, path, make_interval(secs => age_seconds) as age, period, taxpayer
from value.postings
where leg is not null;

-- Lots of each taxpayer and asset over all its accounts, and what is left of them. pool: held on the platform, or outside
-- and its own. Under the average what is left costs its share of what all of them together cost.
create view books.lots as
with used as (
  select lot_entity_id, lot_id, sum(units) as units, sum(cost) as cost from value.uses
  where lot_id is not null
  group by lot_entity_id, lot_id
), rest as (
  select l.*, l.units - coalesce(u.units, 0) as units_left, l.cost - coalesce(u.cost, 0) as own_left
  from value.lots l
  left join used u on (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id)
), pooled as (
  select r.*, sum(own_left) over pool as pool_cost, sum(units_left) filter (where cost is not null) over pool as pool_units,
    sum(units_left) filter (where cost is not null) over (pool order by acquired_at, seq rows unbounded preceding) as upto
  from rest r
  window pool as (partition by taxpayer, pool, currency)
)
select taxpayer, currency, lot_id, entity_id, entry_id, acquired_at, trim_scale(units) as units, trim_scale(cost) as cost,
  trim_scale(units_left) as units_left,
  trim_scale(case
    when cost is null then null
    when method <> 'average' then own_left
    when units_left = 0 then 0
    else round(pool_cost * upto / pool_units, 18) - round(pool_cost * (upto - units_left) / pool_units, 18)
  end) as cost_left,
  origin, pool, leg, period, method
from pooled;

-- Disposals, a row for each fraction of a lot: gain = proceeds - cost, to the last digit. Without a lot, or where a cost is
-- not known, cost and gain are null. A reversal that came later stands with the other sign.
create view books.disposals as
select taxpayer, currency, use_id as disposal_id, entity_id, entry_id, leg, used_at as disposed_at, lot_id, acquired_at,
  (used_at at time zone 'UTC')::date - (acquired_at at time zone 'UTC')::date as held_days, trim_scale(units) as units,
  trim_scale(proceeds) as proceeds, trim_scale(cost) as cost, trim_scale(proceeds - cost) as gain,
  trim_scale(fee_in_proceeds) as fee_in_proceeds, exchanged_for, method, period, lot_entity_id
from value.uses
where exchanged_for is not null;

-- Lots that people said are ours and lie outside: each is in books.lots too, in the pool outside, as outside/<lot_number>.
create view books.outside_lots as
select entity_id, lot_number, currency, units, cost, cost_currency, acquired_on, file_name, file_sha256, line, evidence_name,
  evidence_sha256, reason, by_name, at
from decide.outside_lots;

-- Units that left, and that no lot had brought: negative where a reversal took that back.
create view books.unbacked as
select taxpayer, currency, pool, entity_id, entry_id, leg, used_at, period, trim_scale(units) as units
from value.uses
where lot_id is null;

-- What has no value, or rests on what nobody said: a finding counts for the exit code, a note does not.
create view books.value_findings as
select entity_id, entry_id, finding, taxpayer, period, leg, kind, severity, currency, trim_scale(units) as units, detail
from value.findings;

-- What each entry came to as a leaf: SHA-256 of a zero byte and its lines, lots, uses and findings as a JSON array. A lot that
-- no entry brought is a subject of its own.
create view books.value_leaves as
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
create view books.value_by_month as
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

-- So many findings of a month were accepted for its close, by whom, and who approved that.
create view books.value_acceptances as
select v.entity_id, v.period, v.findings_max, v.by_name, v.reason, v.at, v.proposal_id, a.approved_by
from decide.value_acceptances v
join decide.approvals a using (entity_id, proposal_id);

-- An amount to the cent, halves to the even one, as values are.
create function books.cents(value numeric) returns numeric language sql immutable parallel safe
return round(value, 2) - case
  when mod(abs(value) * 100, 1) = 0.5 and mod(trunc(abs(value) * 100), 2) = 0 then sign(value) * 0.01
  else 0
end;

-- What lines without a value leave open: what those of an entry must come to together for it to sum to zero, on the first.
create view books.unvalued as
select o.entity_id, o.entry_id, o.line, trim_scale((
    select -coalesce(sum(p.value), 0) from value.postings p where (p.entity_id, p.entry_id) = (o.entity_id, o.entry_id)
  )) as missing
from (
  select entity_id, entry_id, min(line) as line from value.postings where value is null group by entity_id, entry_id
) as o;

-- What each account's lines are worth, of a period cut as moves and totals_counted are. opening and closing are sums of cents,
-- which are the exact figure rounded once; prior_period, debit and credit are exact sums rounded once, and rounding what the
-- cents of the same lines are beyond them: opening + prior_period + debit - credit + rounding = closing.
-- unvalued: lines up to the end that have no value; missing: what they leave open, so that closing and missing of an entity
-- sum to zero. What earlier fiscal years earned and spent is on equity:retained-earnings, as totals_carried has it; it is a sum
-- of cents, and so has no fault. fault: what the closing is off its exact figure by, 0 where the cents are that figure, rounded once; rounding
-- has none, and neither has conversion of other currencies than the reporting one.
create function books.value_totals(since timestamptz, until timestamptz, by text)
returns table (entity_id text, account text, currency text, opening numeric, prior_period numeric, debit numeric,
  credit numeric, closing numeric, unvalued bigint, fault numeric, rounding numeric, missing numeric, exact numeric)
language sql stable parallel safe as $$
  select t.entity_id, t.account, t.currency, t.opening, t.prior_period, t.debit, t.credit, t.closing, t.unvalued,
    case when t.account in ('expenses:rounding', 'equity:retained-earnings') or (t.account = 'equity:conversion' and t.is_foreign)
      or abs(t.closing - t.exact) <= 0.005 then 0 else t.closing - t.exact end,
    t.moved - t.prior_period - t.debit + t.credit, t.missing, t.exact
  from (
    select v.entity_id, v.account, v.currency, bool_or(v.currency <> v.value_currency) as is_foreign,
      coalesce(sum(v.value) filter (where v.at < since), 0) as opening,
      coalesce(books.cents(sum(v.full_value) filter (where v.at >= since and v.effective_at < since)), 0) as prior_period,
      coalesce(books.cents(sum(v.full_value) filter (where v.effective_at >= since and v.full_value > 0)), 0) as debit,
      coalesce(books.cents(-sum(v.full_value) filter (where v.effective_at >= since and v.full_value < 0)), 0) as credit,
      coalesce(sum(v.value) filter (where v.at >= since), 0) as moved, coalesce(sum(v.value), 0) as closing,
      count(*) filter (where v.value is null) as unvalued, coalesce(sum(v.missing), 0) as missing,
      coalesce(sum(v.exact), 0) as exact
    from (
      select it.entity_id, case
          when books.is_of_year(it.account) and counted.at < books.fiscal_year_start(since, n.timezone, n.fiscal_year_start) then 'equity:retained-earnings'
          else it.account
        end as account, it.currency, it.value, it.value_currency, it.exact, it.effective_at, u.missing, counted.at,
        case when it.account = 'expenses:rounding' then it.value else it.exact end as full_value
      from books.value_postings it
      left join books.entities n using (entity_id)
      left join books.unvalued u using (entity_id, entry_id, line)
      cross join lateral (
        select case when it.belongs_to = by then it.effective_at else it.posted_at end as at
      ) as counted
    ) as v
    where v.at < until
    group by v.entity_id, v.account, v.currency
  ) as t
$$;

-- Every line of value that counts in [since, until), with the account across its leg; null for what only value has. value is
-- to the cent; exact is not, but for rounding, which has cents alone.
create function books.value_moves(since timestamptz, until timestamptz, by text)
returns table (entity_id text, entry_id uuid, line smallint, leg smallint, account text, across text, currency text,
  units numeric, value numeric, effective_at timestamptz, at timestamptz, is_late boolean, is_undone boolean, kind text, stream text,
  record_id text, belongs_to text, rule text, exact numeric)
language sql stable parallel safe as $$
  select v.entity_id, v.entry_id, v.line, v.leg, v.account, case when t.debit = v.account then t.credit else t.debit end,
    v.currency, v.units, v.value, v.effective_at, v.at, v.effective_at < since, v.kind = 'reversal', v.kind, v.stream, v.record_id,
    v.belongs_to, v.rule, case when v.account = 'expenses:rounding' then v.value else v.exact end
  from (
    select it.*, case when it.belongs_to = by then it.effective_at else it.posted_at end as at
    from books.value_postings it
    where (it.entry_id >= books.first_entry_id(since) and it.entry_id < books.first_entry_id(until + interval '1 ms'))
      or it.belongs_to is not null
  ) as v
  left join books.transfers t using (entity_id, entry_id, leg)
  where v.at >= since and v.at < until
$$;

-- What a unit was worth at an instant, in each reporting currency: by an official rate of the 24 hours before, else by the
-- newest that the gateway told in them. One record tells both sides; units of the currency and of the reporting one for the
-- same third. No row: there is no such rate.
create function books.market_rates(as_of timestamptz)
returns table (currency text, reporting text, of_it numeric, of_reporting numeric, source text, record_id text, at timestamptz)
language sql stable parallel safe as $$
  with told as (
    select r.currency, r.quote, r.at, r.rate, r.source, r.record_id, coalesce(r.request_id, 0) as request_id
    from books.rates r
    where r.at >= as_of - interval '24 hours' and r.at <= as_of
  ), rate as (
    select * from told where currency <> quote
    union
    select quote, quote, at, 1, source, record_id, request_id from told
  )
  select distinct on (it.currency, own.currency) it.currency, own.currency, it.rate, own.rate, it.source, it.record_id, it.at
  from rate it
  join rate own using (quote, at, source, record_id, request_id)
  where own.currency in (select n.currency from books.entities n)
  order by it.currency, own.currency, it.source = 'ecb' desc, it.at desc, it.record_id collate "C" desc, it.request_id desc
$$;

-- The two views of one move, as they were paired: `apart` in time, and whether both still stand. What is not paired is
-- told by the tie-out of its clearing account.
create view books.clearing_matches as
select entity_id, account, currency, amount, debit_stream, debit_record_id, debit_entry_id, debit_at, credit_stream,
  credit_record_id, credit_entry_id, credit_at, greatest(debit_at - credit_at, credit_at - debit_at) as apart, run_id, matched_at,
  not (books.is_reversed(entity_id, debit_entry_id) or books.is_reversed(entity_id, credit_entry_id)) as holds
from reconcile.clearing_matches;

-- How far each day of a clearing account was paired, as its last reconcile saw it.
create view books.clearing_days as
select entity_id, account, currency, effective_day, debit, credit, unmatched from reconcile.clearing_days;

-- The moves on an entity's clearing accounts that stand and have no counterpart, each with its own time: they lie on days with
-- a move still alone, and on those that moved since they were paired.
create function books.lone_clearing_moves(entity text)
returns table (account text, currency text, entry_id uuid, stream text, record_id text, amount numeric, effective_at timestamptz,
  posted_at timestamptz)
language sql stable parallel safe as $$
  with day as materialized (
    select distinct s.effective_day as day
    from (
      select d.account, d.currency, d.effective_day, sum(d.debit) as debit, sum(d.credit) as credit
      from books.daily d
      where d.entity_id = entity and d.account like 'assets:clearing:%'
      group by 1, 2, 3
    ) as s
    left join books.clearing_days k on k.entity_id = entity
      and (k.account, k.currency, k.effective_day) = (s.account, s.currency, s.effective_day)
    where k.unmatched is null or k.unmatched > 0 or (k.debit, k.credit) <> (s.debit, s.credit)
  ), move as materialized ( -- so that only moves are looked up among the entries, one by one
    select side.account, t.currency, t.entry_id, sum(side.amount) as amount
    from day
    join books.transfers t on t.entity_id = entity and t.entry_id >= books.first_entry_id(day.day::timestamp at time zone 'UTC')
      and t.entry_id < books.first_entry_id((day.day + 1)::timestamp at time zone 'UTC')
    cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount)
    where side.account like 'assets:clearing:%'
    group by 1, 2, 3
    having sum(side.amount) <> 0
  )
  select m.account, m.currency, m.entry_id, e.stream, e.record_id, trim_scale(m.amount), e.effective_at, e.posted_at
  from move m
  cross join lateral (
    select * from books.entries own where (own.entity_id, own.entry_id) = (entity, m.entry_id) and own.reverses is null offset 0
  ) as e
  where not books.is_reversed(entity, m.entry_id) and not exists (
    select from books.clearing_matches k
    where (k.entity_id, k.debit_entry_id) = (entity, m.entry_id) and (k.account, k.currency) = (m.account, m.currency) and k.holds
  ) and not exists (
    select from books.clearing_matches k
    where (k.entity_id, k.credit_entry_id) = (entity, m.entry_id) and (k.account, k.currency) = (m.account, m.currency) and k.holds
  )
$$;

-- Whom each end of a wallet transaction names: the entity of ours whose pocket or user it is, or `elsewhere`, somebody else.
-- The names themselves are not shown. side: origin or destination.
create view books.named_ends as
select r.entity_id, r.stream, r.record_id, r.version, side.name as side, coalesce(pocket.entity_id, own.entity_id) as names_entity,
  case when pocket.entity_id is not null then 'pocket' when own.entity_id is not null then 'user' end as names_by,
  coalesce(pocket.entity_id, own.entity_id) is null and coalesce(far ->> 'pocketId', far ->> 'userId') is not null as elsewhere
from land.records r
cross join (values ('origin'), ('destination')) as side (name)
cross join lateral (select r.payload::jsonb -> side.name as far offset 0) as told
cross join lateral (
  select min(p.entity_id) as entity_id from land.pockets p
  where lower(p.pocket_id) = lower(far ->> 'pocketId') and p.entity_id <> r.entity_id
) as pocket
cross join lateral (
  select min(n.entity_id) as entity_id from run.entities n
  where far ->> 'userId' in (n.gateway_user_id, n.subaccount_id) and n.entity_id <> r.entity_id
) as own
where r.stream = 'wallet-transactions';

-- What an entity's entries that stand moved to people (amount > 0: money left) or from them, of those that took effect
-- between two instants, with what their record says of the other end: the entity of ours whose pocket or user it names, or
-- `elsewhere`, that it names somebody else. `pocketed` is what left or entered our own pockets by it: a fee more or less.
create function books.person_moves(entity text, since timestamptz, until timestamptz)
returns table (entity_id text, entry_id uuid, currency text, effective_at timestamptz, stream text, record_id text, amount numeric,
  pocketed numeric, names_entity text, names_by text, elsewhere boolean)
language sql stable parallel safe as $$
  select e.entity_id, m.entry_id, m.currency, e.effective_at, e.stream, e.record_id, trim_scale(m.amount), trim_scale(m.pocketed),
    n.names_entity, n.names_by, coalesce(n.elsewhere, false)
  from (
    select t.entry_id, t.currency,
      coalesce(sum(t.amount) filter (where t.debit = 'equity:external:person'), 0)
        - coalesce(sum(t.amount) filter (where t.credit = 'equity:external:person'), 0) as amount,
      abs(coalesce(sum(t.amount) filter (where t.debit like 'assets:pocket:%'), 0)
        - coalesce(sum(t.amount) filter (where t.credit like 'assets:pocket:%'), 0)) as pocketed
    from books.transfers t
    where t.entity_id = entity and t.entry_id >= books.first_entry_id(since) and t.entry_id < books.first_entry_id(until)
    group by 1, 2
    having bool_or('equity:external:person' in (t.debit, t.credit))
  ) as m
  join books.entries e on (e.entity_id, e.entry_id) = (entity, m.entry_id)
  left join books.named_ends n on (n.entity_id, n.stream, n.record_id, n.version) = (e.entity_id, e.stream, e.record_id, e.version)
    and n.side = case when m.amount > 0 then 'destination' else 'origin' end
  where e.reverses is null and m.amount <> 0 and not books.is_reversed(entity, m.entry_id)
$$;

-- Moves between two of our own entities, as they were paired. grounds: one record told to both; the pocket or the user of
-- the other, which one of the two names; or nothing but amount and time. `holds` ends with a reversal of either.
create view books.own_transfers as
select from_entity, from_entry_id, to_entity, to_entry_id, currency, amount_out, amount_in, grounds,
  greatest(from_at - to_at, to_at - from_at) as apart, from_stream, from_record_id, from_at, to_stream, to_record_id, to_at,
  run_id, matched_at,
  not (books.is_reversed(from_entity, from_entry_id) or books.is_reversed(to_entity, to_entry_id)) as holds
from reconcile.own_transfers;

-- Those of an entity's moves to and from people that are in no pair that holds.
create function books.lone_person_moves(entity text, since timestamptz, until timestamptz)
returns table (entity_id text, entry_id uuid, currency text, effective_at timestamptz, stream text, record_id text, amount numeric,
  pocketed numeric, names_entity text, names_by text, elsewhere boolean)
language sql stable parallel safe as $$
  select m.*
  from books.person_moves(entity, since, until) m
  where not exists (
    select from books.own_transfers o
    where (o.from_entity, o.from_entry_id, o.currency) = (m.entity_id, m.entry_id, m.currency) and o.holds
  ) and not exists (
    select from books.own_transfers o
    where (o.to_entity, o.to_entry_id, o.currency) = (m.entity_id, m.entry_id, m.currency) and o.holds
  )
$$;

-- The rules of the last file that say who is on the other side, and those entities whose bank accounts they cannot know,
-- because their books began after the file was handed in.
create view books.counterparty_rules as
select f.version, r.line, r.class, r.address, r.bank_account, r.operation, r.counterparty, r.nature, f.by_name, f.at, f.file_name,
  case when r.bank_account is null then '' else (
    select coalesce(string_agg(k.entity_id, ', ' order by k.entity_id collate "C"), '')
    from run.entities k
    where not exists (
      select from decide.counterparty_accounts a where (a.entity_id, a.version, a.line) = (k.entity_id, r.version, r.line)
    )
  ) end as not_known_to
from decide.counterparty_files f
join decide.counterparty_rules r using (version)
where f.version = (select max(version) from decide.counterparty_files);

-- What lies outside: every posting on equity:external:*, debit positive (money left us), with who is there and of what
-- nature. A move between two of our own entities is known by its pair, then the first rule that holds decides, then the
-- platform is itself; all else is unknown. A reversal is of the nature of what it undoes. address: on a chain alone.
create view books.outside as
select p.entity_id, p.entry_id, p.leg, p.effective_at, p.posted_at, p.period, p.belongs_to, p.kind, p.stream, p.record_id,
  p.account, p.currency, p.amount, coalesce(own.counterparty, ruled.counterparty,
    case when told.class = 'platform' then 'the platform' end) as counterparty,
  coalesce(own.nature, ruled.nature, case when told.class = 'platform' then 'platform' end, 'unknown') as nature,
  case
    when own.nature is not null then 'own transfer: ' || own.grounds
    when ruled.nature is not null then format('version %s, line %s', ruled.version, ruled.line)
    when told.class = 'platform' then 'platform'
  end as rule,
  e.description as operation, case when told.class = 'blockchain' then told.told_address end as address
from books.postings p
join ledger.entries e using (entity_id, entry_id)
left join ledger.entries undone on (undone.entity_id, undone.entry_id) = (e.entity_id, e.reverses)
left join land.records r on (r.entity_id, r.stream, r.record_id, r.version)
  = (e.entity_id, e.stream, e.record_id, coalesce(undone.version, e.version))
cross join lateral (
  select split_part(p.account, ':', 3) as class, side ->> 'address' as told_address, side ->> 'bankAccount' as bank_account,
    case when side ->> 'address' ~* '^0x[0-9a-f]+$' then lower(side ->> 'address') else side ->> 'address' end as address,
    array[j ->> 'type', j ->> 'subtype', j ->> 'method', j ->> 'movementType', j ->> 'serviceOrderName',
      case when e.stream = 'manual' then 'manual' end] as words
  from (select r.payload::jsonb as j offset 0) as parsed
  cross join lateral (
    select j -> case when (p.amount > 0) = (e.reverses is null) then 'destination' else 'origin' end as side
  ) as far
  offset 0
) as told
left join lateral (
  select case when n.owner = 'own' and mine.owner = 'own' then 'own-entity' else 'third-party' end as nature,
    coalesce(n.legal_name, n.entity_id) as counterparty, o.grounds
  from (
    select to_entity as entity_id, grounds, holds from books.own_transfers
    where (from_entity, from_entry_id, currency) = (p.entity_id, coalesce(e.reverses, p.entry_id), p.currency)
    union all
    select from_entity, grounds, holds from books.own_transfers
    where (to_entity, to_entry_id, currency) = (p.entity_id, coalesce(e.reverses, p.entry_id), p.currency)
  ) as o
  join books.profiles n using (entity_id)
  join books.profiles mine on mine.entity_id = p.entity_id
  where told.class = 'person' and o.holds
  limit 1
) as own on true
left join lateral (
  select g.version, g.line, g.counterparty, g.nature
  from decide.counterparty_rules g
  where g.version = (select max(version) from decide.counterparty_files)
    and (g.class is null or g.class = told.class)
    and (g.operation is null or g.operation = any (told.words))
    and (g.address is null or g.address = told.address)
    and (g.bank_account is null or exists (
      select from decide.counterparty_accounts a
      where (a.entity_id, a.version, a.line, a.commitment) = (p.entity_id, g.version, g.line, told.bank_account)
    ))
  order by g.line
  limit 1
) as ruled on true
where p.account like 'equity:external:%';

-- The last tie-out of every account, all of our own entities together (none of a client's), per currency. difference =
-- reported - booked, of what was compared. What was not (nothing was reported, or the account is uncovered) stands apart:
-- what is booked there is not_compared, and so many of them are uncovered. Of what went to people, own_out went from one of
-- our entities to another, where own_in came, so that person_outside is what others have of it.
create view books.consolidated as
with last as (
  select n.entity_id, c.run_id
  from books.profiles n
  join books.last_compared c using (entity_id)
  where n.owner = 'own'
), tied as (
  select t.currency, count(distinct t.entity_id) as entities, min(t.as_of) as as_of,
    sum(t.reported) filter (where is_compared) as reported, sum(t.booked) filter (where is_compared) as booked,
    sum(t.difference) filter (where is_compared) as difference, sum(t.booked) filter (where not is_compared) as not_compared,
    count(*) filter (where t.status = 'uncovered') as uncovered
  from last
  join books.tie_outs t using (entity_id, run_id)
  cross join lateral (select t.reported is not null and t.status <> 'uncovered' as is_compared) as it
  group by t.currency
), person as (
  select b.currency, sum(b.balance) as balance
  from books.balances b
  join books.profiles n using (entity_id)
  where b.account = 'equity:external:person' and n.owner = 'own'
  group by 1
), own as (
  select o.currency, sum(o.amount_out) as amount_out, sum(o.amount_in) as amount_in, count(*) as transfers
  from books.own_transfers o
  join books.profiles f on f.entity_id = o.from_entity
  join books.profiles t on t.entity_id = o.to_entity
  where o.holds and f.owner = 'own' and t.owner = 'own'
  group by 1
)
select currency, coalesce(t.entities, 0) as entities, t.as_of, trim_scale(coalesce(t.reported, 0)) as reported,
  trim_scale(coalesce(t.booked, 0)) as booked, trim_scale(coalesce(t.difference, 0)) as difference,
  trim_scale(coalesce(t.not_compared, 0)) as not_compared, coalesce(o.transfers, 0) as own_transfers,
  trim_scale(coalesce(o.amount_out, 0)) as own_out, trim_scale(coalesce(o.amount_in, 0)) as own_in,
  trim_scale(coalesce(p.balance, 0) - coalesce(o.amount_out, 0) + coalesce(o.amount_in, 0)) as person_outside,
  coalesce(t.uncovered, 0) as uncovered
from tied t
full join person p using (currency)
full join own o using (currency);

-- How bad a break is by its worth and its age, and in how many days it is due: the owner's table.
create view books.severities as
select severity, rank, value_from, age_from, due_days from reconcile.severities;

-- The newest price before an instant that the gateway or an official file tells, by its rates: one record tells both sides.
-- What all others are told in (the dollar, of a file the euro) is told by those of the reporting currency.
create function books.rate_price(currency text, reporting text, before timestamptz)
returns table (price numeric, at timestamptz) language sql stable parallel safe as $$
  select told.price, told.at
  from (
    (
      select case it.quote when rate_price.reporting then 1 else own.rate end / it.rate as price, it.at
      from books.rates it
      left join lateral (
        select o.rate from books.rates o
        where o.currency = rate_price.reporting and (o.quote, o.at, o.source, o.record_id) = (it.quote, it.at, it.source, it.record_id)
          and o.request_id is not distinct from it.request_id
        limit 1
      ) as own on true
      where it.currency = rate_price.currency and it.at <= rate_price.before and (it.quote = rate_price.reporting or own.rate is not null)
      order by it.at desc
      limit 1
    )
    union all
    (
      select own.rate, own.at
      from books.rates own
      where own.currency = rate_price.reporting and own.quote = rate_price.currency and own.at <= rate_price.before
      order by own.at desc
      limit 1
    )
  ) as told
  order by told.at desc
  limit 1
$$;

-- The price of the last fill before an instant: another market's is not taken. A fill meets in conversion, so the daily
-- summary knows the last day that may hold one; from there it is looked for in ever longer stretches, each of which gives
-- the same fill or none.
create function books.fill_price(entity text, currency text, reporting text, before timestamptz)
returns table (price numeric, at timestamptz) language sql stable parallel safe as $$
  select fill.price, fill.at
  from (
    select max(d.effective_day) as day
    from books.daily d
    where (d.entity_id, d.account, d.currency) = (fill_price.entity, 'equity:conversion', fill_price.currency)
      and d.effective_day <= (fill_price.before at time zone 'UTC')::date
  ) as last
  cross join (values (0), (7), (60), (100000)) as back (days)
  cross join lateral (
    select books.amount_of(r.payload::jsonb ->> 'price') as price, r.record_at as at
    from books.records r
    where r.entity_id = fill_price.entity and r.stream = 'trades' and r.scope = '' and r.outcome = 'booked'
      and r.record_at >= (last.day - back.days)::timestamp at time zone 'UTC'
      and r.record_at < least(fill_price.before, (last.day + 1)::timestamp at time zone 'UTC')
      and strpos(r.payload, '"' || fill_price.currency || '/' || fill_price.reporting || '"') > 0
      and r.payload::jsonb ->> 'symbol' = fill_price.currency || '/' || fill_price.reporting
      and books.amount_of(r.payload::jsonb ->> 'price') > 0
    order by r.record_at desc, r.record_id desc
    limit 1
  ) as fill
  limit 1
$$;

-- An amount's worth in a reporting currency, without a sign: at the newest price before an instant, of a fill or of the
-- rates. Null where there is none.
create function books.value_of(entity text, currency text, amount numeric, reporting text, before timestamptz)
returns numeric language sql stable parallel safe as $$
  select trim_scale(round(abs(value_of.amount) * case when value_of.currency = value_of.reporting then 1 else (
    select it.price
    from (
      select 1 as rank, price, at from books.fill_price(value_of.entity, value_of.currency, value_of.reporting, value_of.before)
      union all
      select 2, price, at from books.rate_price(value_of.currency, value_of.reporting, value_of.before)
    ) as it
    order by it.at desc, it.rank
    limit 1
  ) end, 18))
$$;

-- The findings of each month that has some, by how many the last acceptance covers, and what they come to at the newest price
-- before an instant, as far as there is one: an estimate, since what they are worth is what is not known.
create function books.unvalued_months(before timestamptz)
returns table (entity_id text, period text, findings bigint, accepted integer, accepted_by text, estimate numeric, unpriced bigint,
  kinds text)
language sql stable parallel safe as $$
  select f.entity_id, f.period, count(*), coalesce(max(a.findings_max), 0), max(a.by_name), trim_scale(coalesce(sum(worth.value), 0)),
    count(*) filter (where worth.value is null), string_agg(distinct f.kind, ', ')
  from books.value_findings f
  left join books.entities n using (entity_id)
  left join lateral (
    select v.findings_max, v.by_name from books.value_acceptances v
    where (v.entity_id, v.period) = (f.entity_id, f.period)
    order by v.at desc, v.proposal_id
    limit 1
  ) as a on true
  cross join lateral (
    select books.value_of(f.entity_id, f.currency, f.units, n.currency, unvalued_months.before) as value offset 0
  ) as worth
  where f.severity = 'finding'
  group by f.entity_id, f.period
$$;

-- The highest rank whose value or age is reached; without a price, the one that names no value.
create function books.severity_of(value numeric, age_days integer) returns text language sql stable parallel safe as $$
  select s.severity
  from books.severities s
  where case when severity_of.value is null then s.value_from is null
    else s.value_from <= severity_of.value or s.age_from <= severity_of.age_days end
  order by s.rank desc
  limit 1
$$;

-- When a break that began at an instant is due, by its worth alone. In hours, so that no session's timezone counts.
create function books.due_at(since timestamptz, value numeric) returns timestamptz language sql stable parallel safe as $$
  select due_at.since + make_interval(hours => 24 * s.due_days)
  from books.severities s
  where s.severity = books.severity_of(due_at.value, 0)
$$;

-- Whole days between two instants, never less than none; null to the end of time.
create function books.days_between(since timestamptz, until timestamptz) returns integer language sql immutable parallel safe
return case when isfinite(until) then greatest(floor(extract(epoch from until - since) / 86400), 0)::integer end;

-- Breaks accepted for one month, at one difference each.
create view books.waivers as
select w.entity_id, w.break_id, w.period, w.difference, w.by_name, w.reason, w.at, w.proposal_id, a.approved_by
from decide.waivers w
left join decide.approvals a using (entity_id, proposal_id);

-- Of each break the waiver for the month in which it was compared last, at the difference that it has.
create view books.standing_waivers as
select b.entity_id, b.break_id, w.period, w.by_name, w.reason, w.at
from reconcile.breaks b
join books.last_compared c using (entity_id)
join run.entities n using (entity_id)
cross join lateral (
  select * from decide.waivers k
  where (k.entity_id, k.break_id) = (b.entity_id, b.break_id) and k.difference is not distinct from b.difference
    and k.period = to_char(c.compared_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM')
  order by k.at desc
  limit 1
) as w;

-- Worth and age are those of now, or of when it was resolved. since: when books and gateway diverged, by effective time, from
-- which its age counts; diverged_after: until then they agreed, null where nothing shows it. found_at: the run that found it, or
-- found it again after a tie, from which it is due. status is waived while a waiver is for the month of the last comparison;
-- waived_through: the last month for which this difference was ever waived. A break that is resolved without a tied_run_id is somebody's word (resolved_by) that no comparison has borne out yet. `offset 0`
-- has the price looked for once, and only where somebody asks for it.
create view books.breaks as
select b.break_id, b.entity_id, b.check_name, b.subject, b.account, b.currency, b.reported, b.booked, b.difference,
  case when b.status <> 'resolved' and w.period is not null then 'waived' else b.status end as status,
  b.reason, b.opened_at, b.resolved_at, b.run_id, coalesce(b.diverged_at, b.since) as since, worth.value, worth.age_days,
  books.severity_of(worth.value, worth.age_days) as severity, books.due_at(b.since, worth.value) as due_at, b.assigned_to,
  b.explanation, b.explained_by, array_to_string(b.explained_records, '; ') as explained_records, b.resolved_by, b.tied_run_id,
  b.since as found_at, b.diverged_after, (
    select max(k.period) from decide.waivers k
    where (k.entity_id, k.break_id) = (b.entity_id, b.break_id) and k.difference is not distinct from b.difference
  ) as waived_through
from reconcile.breaks b
left join run.entities n using (entity_id)
left join books.standing_waivers w using (entity_id, break_id)
cross join lateral (
  select books.value_of(b.entity_id, b.currency, b.difference, n.currency, coalesce(b.resolved_at, 'infinity')) as value,
    books.days_between(coalesce(b.diverged_at, b.since), coalesce(b.resolved_at, now())) as age_days
  offset 0
) as worth;

-- What happened to a break, when, by whom and why: rows are added, never changed. by_name is null where a run did it.
create view books.break_events as
select entity_id, break_id, event_id, at, run_id, by_name, status, difference, reason from reconcile.break_events;

-- What may explain a break, rank 1 the likeliest, as its last run with other findings saw it.
create view books.break_candidates as
select c.entity_id, c.break_id, c.rank, c.kind, c.confidence, c.sentence, c.records, c.proof, c.run_id
from reconcile.candidates c
where not exists (
  select from reconcile.candidates later
  where (later.entity_id, later.break_id) = (c.entity_id, c.break_id) and later.reading > c.reading
);

-- What was booked for an account, as the tie-outs know it, that took effect between two instants; a null is no bound.
create function books.moved(entity text, place text, code text, since timestamptz, until timestamptz)
returns table (stream text, record_id text, effective_at timestamptz, amount numeric) language sql stable parallel safe as $$
  select p.stream, p.record_id, p.effective_at, p.amount
  from books.postings p
  where p.entity_id = entity and p.currency = code
    and case p.account when 'assets:trading-bots' then 'assets:trading' else p.account end = place
    and p.entry_id >= books.first_entry_id(coalesce(since, '-infinity'))
    and p.entry_id < books.first_entry_id(until + interval '1 ms')
    and p.effective_at >= coalesce(since, '-infinity') and p.effective_at < until
$$;

-- For each account the last reading that tied (null: none ever did), in the order of runs, with the number of the last entry that
-- its run had booked, and the first one after it with a difference (null where none followed). What could not be compared is no
-- reading.
create view books.last_ties as
with reading as (
  select t.entity_id, t.account, t.currency, t.as_of, t.difference, t.status, r.entries_to,
    row_number() over (partition by t.entity_id, t.account, t.currency order by r.run_number) as nth
  from books.tie_outs t
  join books.runs r using (run_id)
  where t.difference is not null and t.status <> 'uncovered'
), tied as (
  select entity_id, account, currency, coalesce(max(nth) filter (where status = 'tied'), 0) as nth
  from reading
  group by entity_id, account, currency
)
select k.entity_id, k.account, k.currency, t.as_of as tied_at, b.as_of as broke_at, b.difference as first_difference,
  t.entries_to as tied_to
from tied k
left join reading t using (entity_id, account, currency, nth)
left join reading b on (b.entity_id, b.account, b.currency, b.nth) = (k.entity_id, k.account, k.currency, k.nth + 1);

-- Where books and gateway parted, for each account that did not tie when it was compared last, and the records booked for
-- it in between: how many, and the newest 100.
create view books.first_divergence as
select k.entity_id, k.account, k.currency, k.tied_at, k.broke_at, k.first_difference,
  (
    select count(distinct (i.stream, i.record_id))
    from books.moved(k.entity_id, k.account, k.currency, k.tied_at, k.broke_at) i
  ) as records_inside,
  array(
    select i.stream || ' ' || i.record_id
    from books.moved(k.entity_id, k.account, k.currency, k.tied_at, k.broke_at) i
    group by i.stream, i.record_id order by max(i.effective_at) desc, 1 limit 100
  ) as record_names
from books.last_ties k
where k.broke_at is not null;

-- The postings that count at a cut-off or later, trading and bots as one account. Those on time are found by their ids' time,
-- late ones by their index, so that a month costs what was booked since.
create function books.moved_since(cutoff timestamptz)
returns table (entity_id text, account text, currency text, effective_at timestamptz, stream text, record_id text, amount numeric)
language sql stable parallel safe as $$
  select p.entity_id, case p.account when 'assets:trading-bots' then 'assets:trading' else p.account end, p.currency,
    p.effective_at, p.stream, p.record_id, p.amount
  from (
    select * from books.postings own
    where not own.is_late and own.entry_id >= books.first_entry_id(cutoff) and own.effective_at >= cutoff
    union all
    select * from books.postings late where late.is_late and late.posted_at >= cutoff
  ) as p
$$;

-- What each tied account held at a cut-off: a balance read after it, rolled back by the records since (moved_after, of so many
-- records) and by what of a break arose later (diverged_later). The reading is the first one that ties with today's books;
-- where none does, the first one whose difference some night found by itself, with the records it had landed (is_found). A
-- reading that differs by something else lacks what was landed after it and is dated before it, or holds what is no longer
-- booked: rolling it back by today's records would make a difference that the gateway's balance never had. A clearing account is
-- never read: of what it holds, the moves without a counterpart are the difference. status: tied; break, where nothing ties; not read.
create function books.closing_balances(cutoff timestamptz)
returns table (entity_id text, account text, currency text, booked numeric, read_at timestamptz, reported numeric,
  moved_after numeric, records_after bigint, rolled_back numeric, difference numeric, status text, diverged_later numeric)
language sql stable parallel safe as $$
  with late as ( -- took effect before the cut-off and counts after it, as in the trial balance
    select p.entity_id, p.account, p.currency, -p.amount as balance
    from books.postings p
    where p.is_late and p.belongs_to is not null and p.effective_at < cutoff and p.posted_at >= cutoff
  ), held as (
    select b.entity_id, case b.account when 'assets:trading-bots' then 'assets:trading' else b.account end as account,
      b.currency, sum(b.balance) as booked
    from (
      select entity_id, account, currency, balance from books.balances_at(cutoff)
      union all
      select entity_id, account, currency, balance from late
    ) b
    where b.account in ('assets:trading', 'assets:trading-bots', 'assets:earn') or b.account like 'assets:pocket:%'
      or b.account like 'assets:clearing:%'
    group by 1, 2, 3
  ), reading as (
    select t.entity_id, t.account, t.currency, t.as_of as read_at, r.run_number, t.reported, t.difference as found,
      t.status in ('tied', 'break') as is_settled
    from books.tie_outs t
    join books.runs r using (run_id)
    where t.as_of >= cutoff and t.reported is not null and t.account not like 'assets:clearing:%'
  ), moved as materialized (
    select m.* from books.moved_since(cutoff) m
    where (m.entity_id, m.account, m.currency) in (select r.entity_id, r.account, r.currency from reading r)
  ), walk as ( -- readings and records in one order of time, the records of a reading's own instant after it
    select entity_id, account, currency, read_at as at, 0 as place, run_number, reported, found, is_settled, 0 as amount from reading
    union all
    select entity_id, account, currency, effective_at, 1, null, null, null, null, amount from moved
  ), compared as (
    select w.*, w.reported - w.moved_after - coalesce(h.booked, 0) as difference, coalesce(h.booked, 0) as booked
    from (
      select walk.*, sum(amount) over (
        partition by entity_id, account, currency order by at, place rows unbounded preceding
      ) as moved_after
      from walk
    ) as w
    left join held h using (entity_id, account, currency)
    where w.place = 0
  ), judged as (
    select c.*, bool_or(c.found = c.difference) over (
      partition by c.entity_id, c.account, c.currency, c.difference
    ) as is_found
    from compared c
  ), chosen as (
    select distinct on (entity_id, account, currency) entity_id, account, currency, at as read_at, reported, moved_after, booked,
      difference
    from judged
    order by entity_id, account, currency, difference <> 0, not is_settled,
      case when difference = 0 or (is_settled and is_found) then run_number end, run_number desc
  ), counted as materialized (
    select c.entity_id, c.account, c.currency, count(distinct (m.stream, m.record_id)) as records_after
    from chosen c
    join moved m using (entity_id, account, currency)
    where m.effective_at < c.read_at and m.record_id is not null
    group by 1, 2, 3
), read as (
    select coalesce(c.entity_id, h.entity_id) as entity_id, coalesce(c.account, h.account) as account,
      coalesce(c.currency, h.currency) as currency, coalesce(c.booked, h.booked) as booked, c.read_at, c.reported, c.moved_after,
      case when c.read_at is not null then coalesce(k.records_after, 0) end as records_after, c.difference - later.amount as difference,
      case when c.read_at is not null then later.amount end as later
    from chosen c
    left join counted k using (entity_id, account, currency)
    full join (select * from held where account not like 'assets:clearing:%') h using (entity_id, account, currency)
    cross join lateral (
      select coalesce(max(b.difference), 0) as amount
      from books.breaks b
      where (b.entity_id, b.account, b.currency, b.difference) = (c.entity_id, c.account, c.currency, c.difference)
        and b.diverged_after >= cutoff and (b.status <> 'resolved' or b.tied_run_id is null)
    ) as later
  ), lone as (
    select n.entity_id, m.account, m.currency, sum(m.amount) as amount
    from books.entities n
    cross join lateral books.lone_clearing_moves(n.entity_id) m
    where m.posted_at < cutoff
    group by 1, 2, 3
  )
  select entity_id, account, currency, trim_scale(booked), read_at, trim_scale(reported), trim_scale(moved_after), records_after,
    trim_scale(reported - moved_after - later), trim_scale(difference),
    case when read_at is null then 'not read' when difference = 0 then 'tied' else 'break' end, trim_scale(later)
  from read
  union all
  select entity_id, account, currency, trim_scale(coalesce(h.booked, 0)), null, null, null, null,
    trim_scale(coalesce(h.booked, 0) - coalesce(l.amount, 0)), trim_scale(-coalesce(l.amount, 0)),
    case when coalesce(l.amount, 0) = 0 then 'tied' else 'break' end, null
  from (select * from held where account like 'assets:clearing:%') h
  full join lone l using (entity_id, account, currency)
$$;

-- The breaks that stand and had begun by a cut-off, each with what of its difference had arisen by then: that of the closing
-- balance of its account, where that was compared, and all of it elsewhere.
create function books.breaks_at(cutoff timestamptz)
returns table (entity_id text, break_id text, difference numeric) language sql stable parallel safe as $$
  select b.entity_id, b.break_id, case when c.status = 'break' then c.difference else b.difference end
  from books.breaks b
  left join books.closing_balances(cutoff) c
    on (c.entity_id, c.account, c.currency) = (b.entity_id, b.account, b.currency) and c.status <> 'not read'
  where (b.status <> 'resolved' or b.tied_run_id is null)
    and case c.status when 'break' then true when 'tied' then false else coalesce(b.diverged_after < cutoff, true) end
$$;

-- Breaks as a period tells them: those that had begun by its end and are not resolved, and those that the period resolved, with
-- difference, worth and age at its end, so that no day on which it is told makes another row; and the waiver for the month in which it
-- ends. measured_at: the period's end, or when books and gateway were compared last, where that is earlier: of what lies ahead
-- nothing is old or due, and the same books say the same of a running period at any hour.
create function books.breaks_within(since timestamptz, until timestamptz)
returns table (entity_id text, break_id text, value numeric, age_days integer, severity text, due_at timestamptz, waived_by text,
  waived_for text, waived_because text, waived_at timestamptz, measured_at timestamptz, difference numeric, status text)
language sql stable parallel safe as $$
  select b.entity_id, b.break_id, worth.value, worth.age_days, books.severity_of(worth.value, worth.age_days),
    books.due_at(b.found_at, worth.value), waived.by_name, waived.period, waived.reason, waived.at, last.measured_at, b.difference,
    case when b.status = 'resolved' then b.status when waived.period is not null then 'waived' when b.status <> 'waived' then b.status
      when b.explanation is not null then 'explained' when b.assigned_to is not null then 'assigned' else 'open' end
  from (select least(max(compared_at), breaks_within.until) as measured_at from books.last_compared) as last
  cross join (
    select k.entity_id, k.break_id, k.currency, coalesce(a.difference, k.difference) as difference, k.resolved_at, k.since, k.found_at, k.status,
      k.explanation, k.assigned_to
    from books.breaks k
    left join books.breaks_at(breaks_within.until) a using (entity_id, break_id)
    where case k.status when 'resolved' then k.resolved_at >= breaks_within.since and k.resolved_at < breaks_within.until
      else a.break_id is not null end
  ) as b
  left join books.entities n using (entity_id)
  cross join lateral (
    select books.value_of(b.entity_id, b.currency, b.difference, n.currency, least(b.resolved_at, breaks_within.until)) as value,
      books.days_between(b.since, least(coalesce(b.resolved_at, last.measured_at), breaks_within.until)) as age_days
    offset 0
  ) as worth
  left join lateral (
    select w.by_name, w.period, w.reason, w.at
    from books.waivers w
    where (w.entity_id, w.break_id) = (b.entity_id, b.break_id) and w.difference is not distinct from b.difference
      and w.period = to_char((last.measured_at - interval '1 us') at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM')
    order by w.at desc
    limit 1
  ) as waived on true
$$;

-- What was handed out to accounting packages, batch by batch and line by line, and what was handed out again.
create view books.batches as
select b.entity_id, b.year, b.batch_number, b.package, b.period, b.currency, b.timezone, b.map_sha256, b.settings, b.entries,
  b.lines, b.by_name, b.at, (
    select count(*) from decide.batch_copies c
    where (c.entity_id, c.year, c.batch_number) = (b.entity_id, b.year, b.batch_number)
  ) as copies
from decide.batches b;

create view books.batch_lines as
select l.entity_id, l.year, l.batch_number, b.package, l.line, l.ordinal, l.entry_id, l.day, l.kind, l.stream, l.record_id,
  l.account, l.currency, l.nature, trim_scale(l.units) as units, trim_scale(l.value) as value, l.code, l.name, l.tax
from decide.batch_lines l
join decide.batches b using (entity_id, year, batch_number);

-- What was erased of people, without what was asked for; and what is on hold, until when.
create view books.erasures as
select entity_id, erasure_id, at, by_name, reason, asked_for, retention_years, records_erased, fields_erased,
  kept_by_retention, kept_by_hold, first_may_go_at, last_may_go_at
from land.erasures;

create view books.holds as
select h.entity_id, h.hold_id, h.at, h.by_name, h.reason, r.at as released_at, r.by_name as released_by,
  r.reason as release_reason
from land.holds h
left join land.hold_releases r using (entity_id, hold_id);

-- Statements of balances that the platform signed, and what the books said to each line.
create view books.confirmations as
select entity_id, confirmation_id, as_of, file_name, file_sha256, evidence_name, evidence_sha256, by_name, at, covered_to,
  lines, agreed, differing
from reconcile.confirmations;

create view books.confirmation_lines as
select entity_id, confirmation_id, line, account, currency, stated, booked, difference, status
from reconcile.confirmation_lines;
