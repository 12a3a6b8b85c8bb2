-- Everyday questions, each one select: positions, profit and loss, fees, cash, Earn, trades, and changes.
-- For: analysts. Ties to: the reports; test/database/everyday.test.ts compares every sum with theirs.
--   psql -f sql/views/34-everyday.sql

create view books.positions as
with holding as (
  select entity_id, currency, sum(balance) as units
  from books.balances
  where books_internal.is_holding(account)
  group by entity_id, currency
), carried as (
  select entity_id, currency, sum(value) as cost, sum(unvalued) as unvalued
  from books_internal.value_monthly
  where books_internal.is_holding(account)
  group by entity_id, currency
), position as (
  select entity_id, currency, coalesce(h.units, 0) as units, case when c.unvalued = 0 then trim_scale(c.cost) end as cost,
    n.reporting as value_currency
  from holding h
  full join carried c using (entity_id, currency)
  left join (select entity_id, currency from books.entities) as n (entity_id, reporting) using (entity_id)
  where coalesce(h.units, 0) <> 0 or c.cost <> 0
)
select p.entity_id, p.currency, trim_scale(p.units) as units, p.value_currency, trim_scale(newest.price) as price,
  newest.price_at, market.value, p.cost, trim_scale(market.value - p.cost) as unrealised
from position p
left join lateral books_internal.newest_price(p.entity_id, p.currency, p.value_currency, 'infinity') as newest on true
cross join lateral (select trim_scale(books_internal.cents(p.units * newest.price)) as value) as market;
comment on view books.positions is
  'One row per entity and asset held now: units, newest price, value, cost and unrealised gain. Withheld tax is not in it.';
comment on column books.positions.units is 'Units held over all accounts of the entity; negative if more was booked out than in.';
comment on column books.positions.value_currency is 'Reporting currency of price, value and cost; null until the first entry.';
comment on column books.positions.price is 'Newest price of one unit, of a fill or a rate; 1 for the reporting currency; null without one.';
comment on column books.positions.price_at is 'Time of that price; null for the reporting currency or without a price.';
comment on column books.positions.value is 'units * price, to the cent; null without a price.';
comment on column books.positions.cost is 'Cost that the accounts carry, to the cent; null if a line has no value.';
comment on column books.positions.unrealised is 'value - cost: unrealised gain (positive) or loss; null if either is not known.';

create view books.pnl_by_month as
select m.entity_id, m.booked_in as month, m.account, c.name_en as name, trim_scale(-sum(m.value)) as profit, m.value_currency,
  sum(m.unvalued)::bigint as unvalued
from books_internal.value_monthly m -- of lines joined with their entries the planner expects one, and makes the chart anew for each
left join books.chart_of_accounts c using (entity_id, account, currency)
where books_internal.is_of_year(m.account)
group by m.entity_id, m.booked_in, m.account, c.name_en, m.value_currency
having sum(m.value) <> 0 or sum(m.unvalued) > 0;
comment on view books.pnl_by_month is
  'Profit and loss: one row per entity, month and account of income or expense, in the reporting currency.';
comment on column books.pnl_by_month.month is 'Month in which it is booked, YYYY-MM.';
comment on column books.pnl_by_month.name is 'Name of the account in the chart of accounts.';
comment on column books.pnl_by_month.profit is 'Income positive, expense negative, to the cent; null if no line has a value.';
comment on column books.pnl_by_month.value_currency is 'Reporting currency of profit.';
comment on column books.pnl_by_month.unvalued is 'Number of lines without a value, which are not in profit.';

create view books.fees_by_month as
select v.entity_id, e.period as month, split_part(v.account, ':', 3) as fee, v.value_currency,
  round(coalesce(sum(v.fee_in_cost), 0), 2) as in_cost, round(coalesce(sum(v.fee_in_proceeds), 0), 2) as in_proceeds,
  round(coalesce(sum(v.fee_expensed), 0), 2) as expensed,
  round(coalesce(sum(v.fee_in_cost), 0) + coalesce(sum(v.fee_in_proceeds), 0) + coalesce(sum(v.fee_expensed), 0), 2) as paid,
  count(*) filter (where coalesce(v.fee_in_cost, v.fee_in_proceeds, v.fee_expensed) is null) as unvalued
from value.postings v
join books.entries e using (entity_id, entry_id)
where v.account like 'expenses:fees:%'
group by v.entity_id, e.period, fee, v.value_currency;
comment on view books.fees_by_month is
  'All fees in money: one row per entity, month and kind of fee, including those in a cost or deducted from proceeds.';
comment on column books.fees_by_month.month is 'Month of the books in which it counts, YYYY-MM; later than the one in which it was paid if that was already closed.';
comment on column books.fees_by_month.fee is 'Kind of fee: trading, network, teller or unclassified.';
comment on column books.fees_by_month.value_currency is 'Reporting currency of the sums.';
comment on column books.fees_by_month.in_cost is 'Fees that became part of the cost of assets; reversed fees are deducted, as in every sum here.';
comment on column books.fees_by_month.in_proceeds is 'Fees deducted from the proceeds of disposals.';
comment on column books.fees_by_month.expensed is 'Fees booked as an expense: what the fee accounts themselves show.';
comment on column books.fees_by_month.paid is 'All three together, rounded once.';
comment on column books.fees_by_month.unvalued is 'Number of fees without a value, which are in none of the sums.';

create view books.cash_flows as
select p.entity_id, p.entry_id, p.leg, p.effective_at, p.posted_at, p.period, split_part(p.account, ':', 3) as channel,
  p.currency, trim_scale(-p.amount) as amount, -v.value as value, v.value_currency, p.kind, p.stream, p.record_id,
  case when p.account = 'equity:external:bank' then (
    select q.reference
    from books_internal.latest_records r
    join books.pocket_references q
      on (q.entity_id, q.pocket_id) = (r.entity_id, lower(r.payload::jsonb #>> '{destination,pocketId}'))
    where (r.entity_id, r.stream, r.record_id) = (p.entity_id, p.stream, p.record_id)
    limit 1
  ) end as pocket_reference
from books.postings p
left join books.value_postings v using (entity_id, entry_id, leg, account)
where p.account in ('equity:external:bank', 'equity:external:card');
comment on view books.cash_flows is
  'One row per payment by bank or card: what came in and what went out. A reversal has the signs turned.';
comment on column books.cash_flows.channel is 'bank or card.';
comment on column books.cash_flows.amount is 'Amount in units of the currency: positive if it came in, negative if it went out.';
comment on column books.cash_flows.value is 'The same in value_currency, to the cent; null if not known.';
comment on column books.cash_flows.value_currency is 'Reporting currency of value; null if the entry has no valuation.';
comment on column books.cash_flows.pocket_reference is
  'Reference that a bank transfer into the pocket carries, to find it on a bank statement; null for withdrawals and cards, and if not known.';

create view books.earn_income as
select p.entity_id, p.period as month, p.currency,
  trim_scale(coalesce(-sum(p.amount) filter (where p.account = 'income:rewards'), 0)) as rewards,
  trim_scale(coalesce(sum(p.amount) filter (where p.account = 'assets:tax-withheld'), 0)) as tax_withheld,
  trim_scale(coalesce(-sum(v.value) filter (where p.account = 'income:rewards'), 0)) as value, max(v.value_currency) as value_currency,
  count(*) filter (where p.account = 'income:rewards' and v.value is null) as unvalued
from books.postings p
left join books.value_postings v using (entity_id, entry_id, leg, account)
where p.account in ('income:rewards', 'assets:tax-withheld')
group by p.entity_id, p.period, p.currency;
comment on view books.earn_income is 'One row per entity, month and asset: rewards of Earn (account income:rewards), before withheld tax.';
comment on column books.earn_income.month is 'Month in which it counts, YYYY-MM.';
comment on column books.earn_income.rewards is 'Rewards in units of the currency, withheld tax included.';
comment on column books.earn_income.tax_withheld is 'Tax withheld in units of the currency.';
comment on column books.earn_income.value is 'Value of the rewards in value_currency, to the cent.';
comment on column books.earn_income.value_currency is 'Reporting currency of value; null if none has a valuation.';
comment on column books.earn_income.unvalued is 'Number of rewards without a value, which are not in value.';

create view books.trades_by_month as
select t.entity_id, to_char(t.created_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM') as month, t.symbol, t.side,
  count(*) as trades, trim_scale(sum(t.amount)) as amount, t.amount_currency, trim_scale(sum(t.cost)) as cost, t.price_currency
from books.trades t
left join books.entities n using (entity_id)
where t.outcome = 'booked'
group by t.entity_id, month, t.symbol, t.side, t.amount_currency, t.price_currency;
comment on view books.trades_by_month is 'One row per entity, month, market and side: the volume of the booked trades.';
comment on column books.trades_by_month.month is 'Month of the trades by their own time, YYYY-MM, in the entity''s timezone.';
comment on column books.trades_by_month.trades is 'Number of fills.';
comment on column books.trades_by_month.amount is 'Amount of the base, in amount_currency; positive.';
comment on column books.trades_by_month.amount_currency is 'Currency of the amount.';
comment on column books.trades_by_month.cost is 'Consideration in price_currency, as received; positive.';
comment on column books.trades_by_month.price_currency is 'Currency of the consideration.';

create function books.changes_since(since timestamptz)
returns table (entity_id text, recorded_at timestamptz, entry_id uuid, kind text, stream text, record_id text,
  effective_at timestamptz, period text, original_period text, reverses uuid, leg smallint, account text, currency text, amount numeric)
language sql stable parallel safe as $$
  select p.entity_id, p.recorded_at, p.entry_id, p.kind, p.stream, p.record_id, p.effective_at, p.period, p.original_period, p.reverses,
    p.leg, p.account, p.currency, trim_scale(p.amount)
  from books.postings p
  where p.recorded_at > since
$$;
comment on function books.changes_since(timestamptz) is
  'Postings booked after an instant: they sum to the balances now less the balances as known at that instant.';
