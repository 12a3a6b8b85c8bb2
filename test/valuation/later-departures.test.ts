// Departures to an own account that left later than a closed month shows: corrected to a later date, or cancelled and sent again. An own
// transfer has no gain of its own.
import { describe, expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  closeBoth,
  disposals,
  left,
  made,
  paired,
  reversed,
  sell,
  twoEntities,
  withBooks,
} from './month-stand.ts';

withBooks(twoEntities);

const LEGS = {
  sent: ['equity:external:person <- assets:trading 0.5 BTC'],
  received: ['assets:trading <- equity:external:person 0.5 BTC'],
};

const SENT = { name: 'sent', entity: 'main', hour: '12' } as const;
const RECEIVED = { name: 'received', entity: 'a', hour: '13' } as const;

/** Main buys 1 BTC for 40,000 and 1 for 60,000, and sends 0.5; January is closed. In February main sells 1. */
const transferred = async () => {
  await booked({ day: '2026-01-10', name: 'cheap' }, buy('1', '40000'));
  await booked({ day: '2026-01-11', name: 'dear' }, buy('1', '60000'));
  const sent = await booked({ day: '2026-01-20', ...SENT }, LEGS.sent);
  const received = await booked({ day: '2026-01-20', ...RECEIVED }, LEGS.received);
  await paired(sent, received, ['0.5', '0.5']);
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  await booked({ day: '2026-02-05', name: 'sold' }, sell('1', '50000'));
  return { sent, received };
};

/** Corrects a side to another day. */
const movedTo = async (day: string, was: ReturnType<typeof made>, side: typeof SENT | typeof RECEIVED) => {
  const late = { ordinal: 2, period: '2026-02', originalPeriod: '2026-01' };
  const right = made({ day, ...side, ordinal: 3 }, LEGS[side.name]);
  await post(books.db, [reversalOf(was, was.effectiveAt, { ...was, ...late }), right]);
  return right;
};

const findings = async () =>
  (await books.pool.query("select kind from books.value_findings where severity = 'finding'")).rows;

const OF_CHEAP = '2026-02: 1 of cheap 50000 40000 10000';

test.each([SENT, RECEIVED])(
  'both sides are corrected to a day after a sale, that of $entity first',
  async (first) => {
    const { sent, received } = await transferred();
    const move = async (side: typeof SENT | typeof RECEIVED) =>
      movedTo('2026-02-10', side === SENT ? sent : received, side);
    const [one, other] = [await move(first), await move(first === SENT ? RECEIVED : SENT)];
    await paired(...(first === SENT ? ([one, other] as const) : ([other, one] as const)), ['0.5', '0.5']);
    expect(await left()).toEqual(['here 1 60000']);
    expect(await disposals()).toEqual([OF_CHEAP]);
    expect(await findings()).toEqual([]);
  },
);

test('both sides are cancelled before a sale, and sent again after it', async () => {
  const { sent, received } = await transferred();
  await reversed(received, '2026-02-02');
  await reversed(sent, '2026-02-03');
  const again = await booked({ day: '2026-02-10', ...SENT }, LEGS.sent);
  const arrived = await booked({ day: '2026-02-10', ...RECEIVED }, LEGS.received);
  await paired(again, arrived, ['0.5', '0.5']);
  expect(await left()).toEqual(['here 1 60000']);
  expect(await disposals()).toEqual([OF_CHEAP]);
});

describe.each([
  ['', ['2026-02: 0.5 of cheap 25000 20000 5000', '2026-02: 0.5 of received 25000 20000 5000']],
  [
    'wallets-from:2026-01-01',
    ['2026-02: 0.5 of cheap 25000 20000 5000', '2026-02: 0.5 of dear 25000 30000 -5000'],
  ],
])('with the rules "%s"', (rules, sales) => {
  test('the departure alone is corrected to a day after a sale: what a closed month received is not sold again', async () => {
    await books.pool.query("update decide.profiles set lot_rules = nullif($1, '')", [rules]);
    const { sent, received } = await transferred();
    await paired(await movedTo('2026-02-10', sent, SENT), received, ['0.5', '0.5']);
    const [here, ...others] = await left();
    expect([here?.slice(0, 'here 1 '.length), others]).toEqual(['here 1 ', []]);
    expect(await disposals()).toEqual(sales);
    expect(await findings()).toEqual([]);
  });
});
