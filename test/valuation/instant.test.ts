// Entries at one instant: an entry that acquires a coin is valued before one that disposes of it, in any order of arrival.
import { describe, expect, test } from 'vitest';
import { attoOf } from '../../src/base/money.ts';
import { post } from '../../src/ledger/entries.ts';
import type { Event } from '../../src/valuation/event.ts';
import { orderInstant } from '../../src/valuation/instant.ts';
import { eventsOf } from '../../src/valuation/reading.ts';
import { HELD } from '../../src/valuation/state.ts';
import { taxpayers } from '../../src/valuation/taxpayers.ts';
import {
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  disposals,
  made,
  proved,
  reversed,
  sell,
  withBooks,
} from './month-stand.ts';
import { eventOf, type Told } from './stand.ts';

/** Orders events given as name: legs, with the holdings of the pools and accounts before. */
const ordered = (
  entries: Readonly<Record<string, readonly string[]>>,
  {
    held: balances = {},
    told: facts = {},
  }: { held?: Record<string, string>; told?: Record<string, Told> } = {},
): string[] => {
  const events = Object.entries(entries).map(
    ([name, legs]): Event => ({ ...eventOf(1, legs, facts[name] ?? {}), id: name }),
  );
  const unitsOf = (key: string) => attoOf(balances[key.replaceAll('\n', ' ')] ?? '0');
  return orderInstant(events, { reporting: 'EUR', unitsOf, placeOf: () => HELD }).map(({ id }) => id);
};
const swap = (disposed: string, received: string, account = 'assets:trading') => [
  `equity:conversion <- ${account} 1 ${disposed}`,
  `${account} <- equity:conversion 1 ${received}`,
];

describe('the order within one instant', () => {
  test('follows chains of conversions, otherwise the list', () => {
    const chain = { cd: swap('C', 'D'), bc: swap('B', 'C'), x: swap('X', 'Y'), ab: swap('A', 'B') };
    expect(ordered(chain)).toEqual(['x', 'ab', 'bc', 'cd']);
    expect(ordered({ two: buy('1', '2'), one: buy('1', '1'), out: sell('1', '3') })).toEqual([
      'two',
      'one',
      'out',
    ]);
  });

  test('follows units through accounts of our own', () => {
    const moved = (to: string, from: string) => [`assets:${to} <- assets:${from} 1 BTC`];
    const sold = ['equity:conversion <- assets:pocket:b 1 BTC', 'assets:pocket:e <- equity:conversion 5 EUR'];
    expect(
      ordered({
        sold,
        second: moved('pocket:b', 'clearing:trading'),
        first: moved('clearing:trading', 'trading'),
      }),
    ).toEqual(['first', 'second', 'sold']);
  });

  test('breaks a cycle where units are available, otherwise at its first, and dependent entries wait', () => {
    const ring = {
      sold: ['equity:conversion <- assets:trading 1 B', 'assets:trading <- equity:conversion 1 EUR'],
      ab: swap('A', 'B'),
      ba: swap('B', 'A'),
    };
    const holding = (coin: string) => ({
      held: { [`held ${coin}`]: '1', [`main assets:trading ${coin}`]: '1' },
    });
    expect(ordered(ring, holding('A'))).toEqual(['ab', 'ba', 'sold']);
    expect(ordered(ring, holding('B'))).toEqual(['ba', 'ab', 'sold']);
    expect(ordered(ring)).toEqual(['ab', 'sold', 'ba']); // no units of either: the first begins, and then one B is there
  });

  test('sends before it receives if both are of one taxpayer', () => {
    const own: Told = { counterpartyTypes: { 1: 'own-entity' } };
    const entries = {
      sold: sell('1', '5'),
      sent: ['equity:external:person <- assets:trading 1 BTC'],
      got: ['assets:trading <- equity:external:person 1 BTC'],
      bought: buy('1', '4'),
    };
    expect(ordered(entries, { told: { sent: own, got: own } })).toEqual(['bought', 'sent', 'got', 'sold']);
  });
});

describe('in the books', () => {
  withBooks();
  const day = '2026-01-10';

  test('bought and sold in one millisecond is a gain and leaves no lot, in each of 16 worlds', async () => {
    const days = Array.from({ length: 16 }, (_, nth) => String(nth + 1).padStart(2, '0'));
    for (const nth of days) {
      const moment = { day: `2026-01-${nth}`, hour: nth };
      await booked({ ...moment, name: `${(Number(nth) * 7) % 16} sold` }, sell('1', '50000'));
      await booked({ ...moment, name: `${Number(nth)} bought` }, buy('1', '40000'));
    }
    await derived();
    expect(await disposals()).toEqual(
      days.map((nth) => `2026-01: 1 of ${Number(nth)} bought 50000 40000 10000`),
    );
    const left = await books.pool.query('select sum(units_left) as left from books.lots');
    expect(left.rows).toEqual([{ left: '0' }]);
    expect(await proved()).toEqual([]);
  });

  test('no batch splits an instant', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await booked({ day, name }, buy('1', '1'));
    await booked({ day, name: 'f', hour: '13' }, buy('1', '1'));
    const [taxpayer] = await taxpayers(books.db, 'EUR');
    if (!taxpayer) throw new Error('no taxpayer');
    for (const size of [1, 2, 3, 5, 6, 7]) {
      const sizes = await books.db.transaction().execute(async (tx) => {
        const found: number[] = [];
        const range = { taxpayer, from: '', after: null, timezone: 'UTC', isLate: false };
        for await (const instants of eventsOf(tx, range, size))
          found.push(...instants.map(({ length }) => length));
        return found;
      });
      expect(sizes).toEqual([5, 1]);
    }
  });

  test("a correction at the original time takes the record's place, and a rebuild gives the same", async () => {
    await booked({ day, name: 'b cheap' }, buy('1', '10000'));
    const wrong = await booked({ day, name: 'a wrong' }, buy('1', '1'));
    await booked({ day, name: 'c sold' }, sell('1', '50000'));
    await reversed(wrong, day);
    const right = made({ day, name: 'a wrong', ordinal: 3 }, buy('1', '30000'));
    await post(books.db, [right]);
    await derived();
    expect(await disposals()).toEqual(['2026-01: 1 of a wrong 50000 30000 20000']);
    await derivedAgain();
    expect(await proved()).toEqual([]);
  });

  test('late entries of one instant have that order in the month of their posting date', async () => {
    await booked({ day: '2026-01-01', name: 'first' }, buy('1', '1'));
    await derived();
    await close('2026-01');
    await booked({ day, period: '2026-02', name: 'a sold' }, sell('2', '50000'));
    await booked({ day, period: '2026-02', name: 'b bought' }, buy('1', '40000'));
    await derived();
    expect(await disposals()).toEqual([
      '2026-02: 1 of first 25000 1 24999',
      '2026-02: 1 of b bought 25000 40000 -15000',
    ]);
    expect(await proved()).toEqual([]);
  });

  test('late reversals of one instant run from the end of the chain', async () => {
    const bought = await booked({ day, name: 'z bought' }, buy('1', '40000'));
    const sold = await booked({ day, name: 'a sold' }, sell('1', '50000'));
    await derived();
    await close('2026-01');
    await reversed(bought, day, '2026-02');
    await reversed(sold, day, '2026-02');
    await derived();
    expect(await disposals()).toEqual([
      '2026-01: 1 of z bought 50000 40000 10000',
      '2026-02: -1 of z bought -50000 -40000 -10000',
    ]);
    expect(await proved()).toEqual([]);
  });
});
