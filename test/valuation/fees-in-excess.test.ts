// What people entered as the fee of an own transfer, and arrived after all: the finding says to reverse the fee, not to import lots.
import { expect, test } from 'vitest';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  chargedBy,
  closeBoth,
  gains,
  left,
  paired,
  reversed,
  twoEntities,
  withBooks,
} from './month-stand.ts';

withBooks(twoEntities);

/** The findings, but not the notes, of all values. */
const found = async () => {
  await derive(books.db, BOOKS);
  const { rows } = await books.pool.query<{ text: string }>(
    `select kind || ' ' || trim_scale(units) || ' ' || split_part(detail, ':', 1) as text from books.value_findings
     where severity = 'finding' order by 1`,
  );
  return rows.map(({ text }) => text);
};

const received = (units: string) => [`assets:trading <- equity:external:person ${units} BTC`];

/** Half a bitcoin sent by main, and what a received of it. */
const sent = async (arrived: string) => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const legs = ['equity:external:person <- assets:trading 0.5 BTC'];
  const out = await booked({ day: '2026-01-20', name: 'sent' }, legs);
  const into = await booked({ day: '2026-01-21', name: 'received', entity: 'a' }, received(arrived));
  await paired(out, into, ['0.5', arrived]);
  return { out, into };
};

const ARRIVAL = 'other-amount 0.01 trades received';
const FEE = 'transfer-fee 0.01 manual fee-2026-01-25';

test('a fee of which a part arrived after all names that part', async () => {
  const { into } = await sent('0.49');
  await chargedBy(into, '2026-01-25', '0.02');
  expect(await found()).toEqual([ARRIVAL, FEE]);
  expect(await left()).toEqual(['here 0.99 39600', 'without a lot: in-transit 0.01']);
});

test.each(['unknown', 'zero'])(
  'a fee that arrived after all has no gain, and is a finding where units without a lot have a cost: %s',
  async (rule) => {
    await books.pool.query('update decide.profiles set lot_rules = $1', [`without-lot:${rule}`]);
    const { into } = await sent('0.5');
    const fee = await chargedBy(into, '2026-01-25', '0.01');
    expect(await found()).toEqual([ARRIVAL, FEE]);
    expect(await left()).toEqual(['here 1 40000']);
    expect(await gains()).toBeNull();
    await reversed(fee, '2026-01-25');
    expect(await found()).toEqual([]);
  },
);

test('what arrived after all of a transfer whose fee is closed is a finding until the fee is reversed', async () => {
  const { out, into } = await sent('0.49');
  const fee = await chargedBy(out, '2026-01-25', '0.01');
  expect(await found()).toEqual([]);
  await closeBoth('2026-01');
  await reversed(into, '2026-01-21', '2026-02');
  const late = { day: '2026-01-21', period: '2026-02', name: 'received', entity: 'a' };
  await paired(out, await booked(late, received('0.5')), ['0.5', '0.5']);
  expect(await found()).toEqual([ARRIVAL]);
  await reversed(fee, '2026-01-25', '2026-02');
  expect(await found()).toEqual([]);
  expect(await left()).toEqual(['here 1 40000']);
});
