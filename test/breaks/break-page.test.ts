// The value, severity and due date of a break, and its page.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pageOf } from '../../src/breaks/break-page.ts';
import { findBreak } from '../../src/breaks/life.ts';
import { pageText } from '../../src/cli/break-page.ts';
import { readSql, sqlPaths } from '../../src/database/sql.ts';
import { landRates } from '../../src/land/rates.ts';
import { instantAt, receipt } from '../land/stage.ts';
import { adjustment, BEFORE, type Nights, openNights, wallet } from '../reconcile/stage.ts';

let books: Nights;
beforeEach(async () => {
  books = await openNights();
});
afterEach(() => books.close());

const fill = (id: string, price: string, seconds: number, rest: object = {}) => ({
  id,
  orderId: id,
  symbol: 'BTC/EUR',
  side: 'buy',
  amount: '1',
  cost: price,
  price,
  feeAmount: '0',
  priceCurrency: 'EUR',
  amountCurrency: 'BTC',
  createdAt: instantAt(seconds),
  ...rest,
});
const page = async () => {
  const [row] = await books.rows('select break_id from books.breaks order by currency');
  return pageOf(books.db, await findBreak(books.db, String(row?.break_id), undefined));
};

describe('value', () => {
  const value = async (currency: string, amount: string, before: string) =>
    (
      await books.rows("select books_internal.value_of('main', $1, $2, 'EUR', $3) as value", [
        currency,
        amount,
        before,
      ])
    )[0]?.value;

  test('is at the last fill before an instant that has a price; other markets and rejects do not count', async () => {
    const trades = [
      fill('t1', '100', 10),
      fill('t2', '200', 20),
      fill('t3', '0', 25),
      fill('t4', '7', 30, { symbol: 'BTC/USD', priceCurrency: 'USD' }),
      fill('t5', '900', 40, { side: 'lend' }),
      fill('t6', '300', 50),
    ];
    await books.night({ records: { trades }, after: {} });
    expect(await value('BTC', '-0.50', instantAt(50))).toBe('100');
    expect(await value('BTC', '2', instantAt(51))).toBe('600');
    expect(await value('BTC', '2', instantAt(10))).toBeNull();
    expect(await value('EUR', '-2.50', instantAt(0))).toBe('2.5');
    expect(await value('USD', '1', instantAt(99))).toBeNull();
    expect(await value('DOGE', '1', instantAt(99))).toBeNull();
  });

  test('of the dollar, in which rates are quoted, is the inverse rate of the reporting currency', async () => {
    await books.night({ records: { trades: [] }, after: {} });
    const rates = { times: [instantAt(20)], entries: [{ fiat: { EUR: '0.5' }, crypto: { USDC: '1' } }] };
    await landRates({ db: books.db, run: books.run(), entity: 'main' }, receipt('/v1/currency/rate'), rates);
    expect([await value('USD', '2', instantAt(19)), await value('USD', '2', instantAt(99))]).toEqual([
      null,
      '1',
    ]);
  });

  test('is at the rates if they are newer than the last fill, or there is none', async () => {
    await books.night({ records: { trades: [fill('t1', '100', 10)] }, after: {} });
    const entry = { fiat: { EUR: '0.5', USD: '1' }, crypto: { BTC: '0.001', USDC: '1' } };
    const rates = { times: [instantAt(20)], entries: [entry] };
    await landRates({ db: books.db, run: books.run(), entity: 'main' }, receipt('/v1/currency/rate'), rates);
    const worth = await Promise.all([
      value('BTC', '1', instantAt(19)),
      value('BTC', '1', instantAt(20)),
      value('USDC', '8', instantAt(19)),
      value('USDC', '-8', instantAt(20)),
      value('USD', '2', instantAt(99)),
    ]);
    expect(worth).toEqual(['100', '500', null, '4', '1']);
    await books.night({ records: { trades: [fill('t2', '300', 30)] }, after: {} });
    expect(await value('BTC', '1', instantAt(40))).toBe('300');
  });
});

describe('severity', () => {
  const severities = async (cases: [value: string | null, days: number][]) => {
    const found = [];
    for (const [worth, days] of cases)
      found.push(
        (await books.rows('select severity as it from books_internal.severity_of($1, $2)', [worth, days]))[0]
          ?.it,
      );
    return found;
  };

  test('is the highest that value or age reaches; without a price it is unpriced', async () => {
    const cases = [
      ['0', 0],
      ['99.99', 13],
      ['100', 0],
      ['1', 14],
      ['1000', 0],
      ['1', 90],
      [null, 90],
    ] as const;
    expect(await severities([...cases] as [string | null, number][])).toEqual([
      'low',
      'low',
      'medium',
      'medium',
      'high',
      'critical',
      'unpriced',
    ]);
  });

  test('and due date follow the table at once; the due date ignores the age', async () => {
    await books.night({
      records: { movements: [adjustment('m1', '150')] },
      after: { trading: [wallet('w1', 'EUR', '0')] },
    });
    await books.rows('update reconcile.breaks set diverged_at = since'); // as if it had been read today
    const due = `select severity, value, age_days, due_at - found_at = make_interval(days => 14) as is_in_14 from books.breaks`;
    expect(await books.rows(due)).toEqual([
      { severity: 'medium', value: '150', age_days: 0, is_in_14: true },
    ]);
    await books.rows(
      "update reconcile.breaks set since = since - interval '50 days', diverged_at = since - interval '50 days'",
    );
    expect(await books.rows(due)).toEqual([{ severity: 'high', value: '150', age_days: 50, is_in_14: true }]);
    await books.rows("update reconcile.severities set value_from = 151 where severity = 'medium'");
    await books.rows("update reconcile.severities set age_from = null where severity = 'high'");
    expect(await books.rows(due)).toMatchObject([{ severity: 'medium', is_in_14: false }]);
  });
});

describe('the page', () => {
  test('shows the last tie, what was booked between it and the first break, late records included, and what to do', async () => {
    const first = [adjustment('m1', '100')];
    const balance = (text: string) => ({ trading: [wallet('w1', 'EUR', text)] });
    await books.night({ records: { movements: first }, after: balance('100') });
    const tied = books.run().id;
    const second = [
      adjustment('m2', '7', { createdAt: instantAt(BEFORE - 5) }),
      adjustment('late', '5', { createdAt: instantAt(-86_400) }),
    ];
    const bot = adjustment('bot', '3', {
      movementType: 'withdrawal',
      serviceOrderName: 'bot',
      createdAt: instantAt(9),
    });
    await books.night({ records: { movements: [...first, ...second, bot] }, after: balance('107') });
    const broke = books.run().id;
    await books.night({ records: { movements: [adjustment('m3', '1')] }, after: balance('108') });
    const shown = await page();
    expect(shown.last_tie).toMatchObject({ run_id: tied, reported: '100', booked: '100' });
    expect(shown.first_break).toMatchObject({ run_id: broke, reported: '107', booked: '112' });
    expect(shown.records.map(({ record_id, amount }) => `${record_id} ${amount}`)).toEqual([
      'm2 7',
      'late 5',
    ]);
    expect(shown.records_total).toBe(2); // funds of a bot still belong to the account
    expect(shown.standing).toMatchObject({
      difference: '-5',
      value: '5.00',
      severity: 'critical', // a reading of March gives that age
      status: 'open',
      is_overdue: false,
    });
    expect(shown.check?.todo).toMatch(/^look at the reason; .*run extract --full/);
    expect(shown.history.map(({ status, changed_by }) => [status, changed_by])).toEqual([['open', null]]);
  });

  test('uses the order of runs if a clock went back between them', async () => {
    const balance = (text: string) => ({ trading: [wallet('w1', 'EUR', text)] });
    await books.night({ records: { movements: [adjustment('m1', '100')] }, after: balance('100') });
    const tied = books.run().id;
    await books.rows("update run.runs set started_at = started_at + interval '1 day' where run_id = $1", [
      tied,
    ]);
    await books.night({ after: balance('107') });
    const [first, last] = [books.run().id, (await page()).last_tie?.run_id];
    expect(last).toBe(tied);
    await books.rows("update run.runs set started_at = started_at - interval '1 day' where run_id = $1", [
      first,
    ]);
    expect(await page()).toMatchObject({ last_tie: { run_id: tied }, first_break: { run_id: first } });
  });

  test('shows the newest twenty of many, and their total', async () => {
    const movements = Array.from({ length: 25 }, (_, nth) =>
      adjustment(`m${nth}`, '1', { createdAt: instantAt(nth) }),
    );
    await books.night({ records: { movements }, after: { trading: [wallet('w1', 'EUR', '20')] } });
    const shown = await page();
    expect(shown.last_tie).toBeNull();
    expect([shown.records.length, shown.records_total, shown.records[0]?.record_id]).toEqual([20, 25, 'm24']);
  });

  test('of a break without an account has no tie and no records', async () => {
    await books.night({});
    await books.rows(`
      insert into reconcile.breaks (entity_id, break_id, check_name, subject, status, reason, opened_at, since, run_id)
      select 'main', 'abc', 'gone', 'trades', 'open', 'why', started_at, started_at, run_id from run.runs limit 1`);
    const shown = await page();
    expect(shown).toMatchObject({ check: null, last_tie: null, first_break: null, records: [], history: [] });
    expect(shown.standing).toMatchObject({ severity: 'unpriced', value: null });
  });

  test('has something to do for every check', () => {
    for (const path of sqlPaths('checks')) expect(readSql(path).todo, path).toMatch(/\w.*\.$/);
  });
});

test('the page says what blocks funds of the account, and what nothing explains', async () => {
  const order = {
    id: 'o1',
    symbol: 'BTC/EUR',
    side: 'buy',
    status: 'open',
    price: '20',
    createdAt: instantAt(0),
  };
  const rows = [{ ...order, orderAmount: '1.5', filledAmount: '0.5' }];
  const after = { trading: [wallet('w1', 'EUR', '10', { blockedBalance: '27.03' })] };
  const bot = adjustment('m2', '7', { movementType: 'withdrawal', serviceOrderName: 'bot' });
  const night = { records: { movements: [adjustment('m1', '30'), bot] }, after };
  await books.land([{ rows }], { stream: 'trading-orders' });
  await books.night(night);
  const shown = await page();
  const parts = { in_orders: '20', with_bots: '7', in_payments: '0', unexplained: '0.03' };
  expect(shown.blocked).toMatchObject({ blocked: '27.03', ...parts });
  expect(pageText(shown)).toContain(
    `  blocked      27.03 EUR in the balance of ${shown.blocked?.taken_at}: open orders 20, bots 7, unexplained 0.03\n`,
  );
  await books.land([{ rows: [{ ...order, orderAmount: '1', filledAmount: '1' }] }], {
    stream: 'trading-orders',
  });
  await books.night({ ...night, after: { trading: [wallet('w1', 'EUR', '37')] } });
  expect((await page()).blocked).toMatchObject({ blocked: '0', in_orders: '0', unexplained: '-7' });
});
