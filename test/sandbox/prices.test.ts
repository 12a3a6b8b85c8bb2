// Prices of the stand-in move, and its world trades at those prices, with accounts in
// dollars, pounds and coins whose figures differ if a wrong rate or moment is used.
import { afterEach, expect, test } from 'vitest';
import { isoOf } from '../../src/base/time.ts';
import { RATE_TIMES_MAX } from '../../src/gateway/contract/contract.ts';
import { over, unitsOf } from '../../src/sandbox/amount.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { digitsOf, type WireObject } from '../../src/sandbox/wire-json.ts';
import { ask, type Loose } from './asker.ts';

const UNTIL = '2026-11-03T00:00:00.000Z';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** The rates of any number of instants, as many per request as the contract allows. */
const ratesAt = async (times: readonly number[]): Promise<Loose[]> => {
  const [now, later] = [times.slice(0, RATE_TIMES_MAX), times.slice(RATE_TIMES_MAX)];
  const { body } = await ask(sandbox, `/v1/currency/rate?type=all&time=${now.map(isoOf).join(',')}`);
  return later.length === 0 ? body : [...body, ...(await ratesAt(later))];
};

const hours = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, nth) => from + nth * HOUR);

test('every price except that of the dollar moves within the hour, the day and the week', async () => {
  sandbox = await startSandbox({ seed: 1, until: UNTIL, days: 1 });
  const now = sandbox.world.now();
  const rates = await ratesAt([now - 8 * DAY, now - DAY, now - HOUR, now]);
  for (const [symbol, last] of Object.entries({ ...rates[3].fiat, ...rates[3].crypto }))
    for (const before of rates.slice(0, 3))
      expect({ ...before.fiat, ...before.crypto }[symbol] === last, symbol).toBe(symbol === 'USD');
});

test('fiat moves by per cents and coins by more, and no price jumps from one hour to the next', async () => {
  sandbox = await startSandbox({ seed: 1, until: UNTIL, days: 1 });
  const rates = await ratesAt(hours(sandbox.world.now() - 20 * DAY, 480));
  const span = (kind: string, symbol: string) => {
    const figures = rates.map((rate) => unitsOf(rate[kind][symbol]));
    const [low, high] = [
      figures.reduce((a, b) => (a < b ? a : b)),
      figures.reduce((a, b) => (a > b ? a : b)),
    ];
    const jumps = figures.slice(1).map((figure, position) => over(figure, figures[position] as bigint));
    expect(jumps.every((jump) => jump > unitsOf('0.9') && jump < unitsOf('1.1'))).toBe(true);
    return over(high, low);
  };
  expect(span('fiat', 'EUR')).toBeGreaterThan(unitsOf('1.01'));
  expect(span('fiat', 'GBP')).toBeGreaterThan(unitsOf('1.01'));
  expect(span('fiat', 'EUR')).toBeLessThan(unitsOf('1.1'));
  expect(span('crypto', 'BTC')).toBeGreaterThan(unitsOf('1.05'));
});

test('the same seed gives the same rates, another seed others; so does the chart', async () => {
  const timeMs = Date.parse(UNTIL) - DAY;
  const ratesOfSeed = async (seed: number) => {
    sandbox = await startSandbox({ seed, until: UNTIL, days: 1 });
    const [rates] = await ratesAt([timeMs]);
    const { body } = await ask(sandbox, '/v3/currency/chart?ticker=EUR/GBP&temporality=one-month');
    const row = body.find(([time]: Loose) => Number(time) === timeMs);
    expect(row.slice(1)).toEqual([rates.fiat.EUR, rates.fiat.GBP]);
    await sandbox.close();
    return JSON.stringify(rates);
  };
  const [one, again, other] = [await ratesOfSeed(1), await ratesOfSeed(1), await ratesOfSeed(2)];
  expect(again).toBe(one);
  expect(other).not.toBe(one);
  sandbox = await startSandbox({ seed: 1, until: UNTIL, days: 1 });
});

test('fills happen within one per cent of the rate of their instant', async () => {
  sandbox = await startSandbox({ seed: 3, until: UNTIL });
  const { prices, rows } = sandbox.world;
  const fills = rows('main', 'trades').filter(({ body }) => !digitsOf(body.symbol).startsWith('MOTE'));
  const pairs = new Set(fills.map(({ body }) => body.symbol));
  for (const pair of ['BTC/USD', 'ETH/GBP', 'EUR/USD', 'BTC/EUR']) expect(pairs).toContain(pair);
  for (const { at: timeMs, body } of fills) {
    const [base = '', quote = ''] = digitsOf(body.symbol).split('/');
    const off = over(
      unitsOf(digitsOf(body.price)),
      over(prices.dollar(base, timeMs), prices.dollar(quote, timeMs)),
    );
    expect(off).toBeGreaterThan(unitsOf('0.989'));
    expect(off).toBeLessThan(unitsOf('1.011'));
  }
});

test('dollars and pounds arrive by bank, buy coins, are sold into, swapped, traded and withdrawn to pockets', async () => {
  sandbox = await startSandbox({ seed: 3, until: UNTIL, perDay: 200 });
  const wallet = sandbox.world.rows('main', 'wallet-transactions').map(({ body }) => body);
  const happened = new Set(
    wallet.map(({ subtype, origin, destination }) => way(subtype, origin, destination)),
  );
  const ways = ['funding USD USD', 'funding GBP GBP', 'purchase USD coin', 'sell coin USD', 'sell coin GBP'];
  for (const one of [...ways, 'swap EUR USD', 'swap USD GBP', 'trading USD USD', 'trading GBP GBP'])
    expect(happened).toContain(one);
  for (const currency of ['USD', 'GBP']) {
    expect(sandbox.world.pockets('main').some((it) => it.currency === currency)).toBe(true);
    expect(sandbox.world.trading('main').find((it) => it.currency === currency)?.balance).not.toBe('0');
  }
});

const FIAT = ['EUR', 'USD', 'GBP'];
const way = (...[subtype, ...sides]: readonly unknown[]): string =>
  [subtype, ...sides.map((side) => nameOf((side as WireObject | undefined)?.currency))].join(' ');
const nameOf = (currency: unknown): string => (FIAT.includes(String(currency)) ? String(currency) : 'coin');
