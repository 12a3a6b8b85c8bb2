// The everyday views tie to the reports: to the cent in money, to the last digit in units.
import { expect, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import { historyOf } from '../bench/history-sql.ts';
import { freshDatabase } from '../database.ts';
import { makeWorld } from '../export/world.ts';
import { booked, books, buy, derived, reversed, sell, withBooks } from '../valuation/month-stand.ts';
import { type PlanNode, planOf } from './growing-books.ts';

type Row = Readonly<Record<string, string>>;

const rowsOf = async (query: string | { text: string; values: string[] }): Promise<Row[]> =>
  (await books.pool.query(query)).rows;

/** The rows of a report as a table of the database, so that the comparison is exact SQL. */
const report = async (name: string, from: string, to: string): Promise<void> => {
  const { text, values } = loadSql(`reports/${name}.sql`, { from, to, by: 'posted_at', entity: '' });
  const rows = (await books.pool.query(text, values)).rows;
  await books.pool.query(`drop table if exists public.${name}`);
  const literal = (it: unknown) => (it === null ? 'null' : `'${String(it).replaceAll("'", "''")}'`);
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => `(${names.map((column) => literal(row[column])).join(',')})`);
  expect(lines.length, name).toBeGreaterThan(0);
  await books.pool.query(
    `create table public.${name} as select * from (values ${lines.join(',')}) as it (${names.join(',')})`,
  );
};

const RATES = `
  insert into land.official_files (entity_id, source, name, sha256, by_name, at)
    values ('main', 'ecb', 'ecb.csv', repeat('0', 64), 'Ada', '2026-03-01');
  insert into land.official_rates (entity_id, file_id, currency, quote, day, rate)
    select 'main', file_id, 'BTC', 'EUR', day, 0.0008 from land.official_files, generate_series('2025-12-31'::date, '2026-03-01', '1 day') as day`;

withBooks(async () => {
  await booked({ day: '2026-01-01', name: 'paid in' }, [
    'assets:pocket:p <- equity:external:bank 9000.55 EUR',
  ]);
  await booked({ day: '2026-01-02', name: 'bought' }, [
    ...buy('4', '4000'),
    'expenses:fees:trading <- assets:trading 1.01 EUR',
  ]);
  await booked({ day: '2026-01-03', name: 'by card' }, ['assets:pocket:p <- equity:external:card 20 EUR']);
  await booked({ day: '2026-01-04', name: 'reward' }, [
    'assets:earn <- income:rewards 0.0081 BTC',
    'assets:tax-withheld <- income:rewards 0.0019 BTC',
  ]);
  await booked({ day: '2026-01-06', name: 'sold' }, [
    ...sell('0.3', '500'),
    'expenses:fees:trading <- assets:trading 2.03 EUR',
  ]);
  await booked({ day: '2026-02-06', name: 'sold at a loss' }, sell('1', '700'));
  await booked({ day: '2026-02-07', name: 'network' }, ['expenses:fees:network <- assets:trading 0.001 BTC']);
  await booked({ day: '2026-02-08', name: 'paid out' }, [
    'equity:external:bank <- assets:pocket:p 1000.1 EUR',
  ]);
  const wrong = await booked({ day: '2026-02-09', name: 'wrong' }, [
    'equity:external:card <- assets:pocket:p 7 EUR',
  ]);
  await reversed(wrong, '2026-02-10');
  await books.pool.query(RATES);
  await derived();
});

const MONTHS = [
  ['2026-01', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['2026-02', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
] as const;

test.each(MONTHS)(
  'pnl_by_month of %s ties to the trial balance and to the realised gains',
  async (month, from, to) => {
    await report('trial_balance', from, to);
    await report('realised_gains', from, to);
    const pnl = `select account, trim_scale(sum(profit))::text as profit from books.pnl_by_month where month = '${month}' group by 1 order by 1`;
    const balance = `select account, trim_scale(-sum(closing_value::numeric - opening_value::numeric))::text as profit
    from public.trial_balance where account ~ '^(income|expenses):' group by 1
    having sum(closing_value::numeric) <> sum(opening_value::numeric) order by 1`;
    const found = await rowsOf(pnl);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(await rowsOf(balance));
    const gains = `select round(sum(gain::numeric), 2)::text as gain from public.realised_gains`;
    const booked = `select round(sum(profit), 2)::text as gain from books.pnl_by_month
    where month = '${month}' and account ~ '(gains|losses)'`;
    expect(await rowsOf(booked)).toEqual(await rowsOf(gains));
  },
);

test('fees_by_month ties to the fees in money, and to the fees deducted from the realised gains', async () => {
  const found = await rowsOf(
    `select month, fee, in_cost::text, in_proceeds::text, expensed::text, paid::text from books.fees_by_month order by 1, 2`,
  );
  const { text, values } = loadSql('cookbook/fees_in_money.sql', { timezone: 'UTC' });
  const cookbook = (await books.pool.query(text, values)).rows;
  const pick = ({ month, fee, in_cost, in_proceeds, expensed, paid }: Row) => ({
    month,
    fee,
    in_cost,
    in_proceeds,
    expensed,
    paid,
  });
  expect(found).toHaveLength(2);
  expect(found).toEqual(cookbook.map(pick));
  await report('realised_gains', '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z');
  const deducted = 'select sum(in_proceeds)::text as fee from books.fees_by_month';
  const gains = 'select round(sum(fee_in_proceeds::numeric), 2)::text as fee from public.realised_gains';
  expect(await rowsOf(deducted)).toEqual(await rowsOf(gains));
});

test('positions tie to the holdings, and to the price of the newest rate', async () => {
  await report('valuation', '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z');
  const found = await rowsOf(
    'select currency, units::text, round(cost, 2)::text as cost from books.positions order by 1',
  );
  expect(found.map(({ currency }) => currency)).toEqual(['BTC', 'EUR']);
  expect(found).toEqual(await rowsOf('select currency, units, cost from public.valuation order by 1'));
  const priced =
    await rowsOf(`select price::text, price_at::text, value::text, unrealised = value - cost as "isDifference",
    value = books_internal.cents(books_internal.value_of(entity_id, currency, units, 'EUR', 'infinity')) as "isWorth"
    from books.positions order by currency`);
  expect(priced).toEqual([
    {
      price: '1250',
      price_at: '2026-03-01 15:00:00+00',
      value: expect.any(String),
      isDifference: true,
      isWorth: true,
    },
    { price: '1', price_at: null, value: expect.any(String), isDifference: true, isWorth: true },
  ]);
});

test('cash_flows tie to the accounts of bank and card, in units and in money', async () => {
  await report('trial_balance', '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z');
  const flows = `select 'equity:external:' || channel as account, currency, trim_scale(sum(amount))::text as amount,
    trim_scale(sum(value))::text as value from books.cash_flows group by 1, 2 order by 1, 2`;
  const balance = `select account, currency, trim_scale(-closing::numeric)::text as amount,
    trim_scale(-closing_value::numeric)::text as value from public.trial_balance where account ~ ':(bank|card)$' order by 1, 2`;
  const found = await rowsOf(flows);
  expect(found.map(({ account }) => account)).toEqual(['equity:external:bank', 'equity:external:card']);
  expect(found).toEqual(await rowsOf(balance));
});

test('earn_income ties to the account of rewards and to the tax withheld', async () => {
  await report('trial_balance', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z');
  const found = await rowsOf(
    `select month, currency, rewards::text, tax_withheld::text, value::text from books.earn_income`,
  );
  const [rewards] = await rowsOf(
    `select trim_scale(-closing::numeric)::text as units, trim_scale(-closing_value::numeric)::text as value
     from public.trial_balance where account = 'income:rewards'`,
  );
  expect(found).toEqual([
    { month: '2026-01', currency: 'BTC', rewards: '0.01', tax_withheld: '0.0019', value: rewards?.value },
  ]);
  expect(rewards?.units).toBe('0.01');
});

test('changes_since equals the change of the balances', async () => {
  const since = '2026-02-07T12:00:00Z';
  const differences = `select entity_id, account, currency, trim_scale(sum(balance))::text as balance from (
      select * from books.balances
      union all select entity_id, account, currency, -balance from books.balances_known_at('infinity', '${since}')
    ) as sides group by 1, 2, 3 having sum(balance) <> 0 order by 1, 2, 3`;
  const changes = `select entity_id, account, currency, trim_scale(sum(amount))::text as balance
    from books.changes_since('${since}') group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`;
  const found = await rowsOf(changes);
  expect(found.length).toBeGreaterThan(1);
  expect(found).toEqual(await rowsOf(differences));
  expect(await rowsOf(`select distinct kind from books.changes_since('${since}') order by 1`)).toEqual([
    { kind: 'reversal' },
    { kind: 'trade' },
  ]);
});

test('trades_by_month ties to the booked trades', async () => {
  const world = await freshDatabase();
  await makeWorld(world);
  const rows = async (text: string) => (await world.pool.query(text)).rows;
  const found = await rows(
    'select symbol, side, sum(trades)::text as trades, trim_scale(sum(amount))::text as amount, trim_scale(sum(cost))::text as cost from books.trades_by_month group by 1, 2 order by 1, 2',
  );
  const trades = await rows(
    "select symbol, side, count(*)::text as trades, trim_scale(sum(amount))::text as amount, trim_scale(sum(cost))::text as cost from books.trades where outcome = 'booked' group by 1, 2 order by 1, 2",
  );
  await world.close();
  expect(found.length).toBeGreaterThan(0);
  expect(found).toEqual(trades);
});

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test('the chart of accounts is made once for the profit and loss of many entities: its lines are as many as the planner expects', async () => {
  const many = await freshDatabase();
  await many.pool.query(historyOf({ entries: 2_000, entities: 80, days: 20, nights: 5 }));
  await many.pool.query('analyze');
  const plan = await planOf(many, 'select * from books.pnl_by_month', []);
  await many.close();
  const lines = nodesOf(plan).find((node) => /Join|Nested Loop/.test(node['Node Type'])) as PlanNode;
  expect(lines['Actual Rows']).toBeGreaterThan(30);
  expect(lines['Plan Rows'] * 10).toBeGreaterThan(lines['Actual Rows']); // one row expected: a loop over the whole chart for each line
});
