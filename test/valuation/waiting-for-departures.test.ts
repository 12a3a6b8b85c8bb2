// What waits for a departure to an own account that was corrected, or cancelled and sent again: its arrival, and the fee that people entered for
// what did not arrive. Both follow it into the month in which it counts, and are valued once.
import { expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  chargedBy,
  closeBoth,
  left,
  made,
  paired,
  reversed,
  twoEntities,
  withBooks,
} from './month-stand.ts';

withBooks(twoEntities);

const OUT = ['equity:external:person <- assets:trading 0.5 BTC'];
const into = (units: string) => [`assets:trading <- equity:external:person ${units} BTC`];
type Made = ReturnType<typeof made>;

/** A transfer of 0.5 out of 1 BTC for 40,000, of which 0.49 arrive: the rest is a fee. */
const charged = async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const sent = await booked({ day: '2026-01-20', name: 'sent' }, OUT);
  const received = await booked({ day: '2026-01-21', name: 'received', entity: 'a' }, into('0.49'));
  await paired(sent, received, ['0.5', '0.49']);
  await chargedBy(sent, '2026-01-25', '0.01');
  expect(await left()).toEqual(['here 0.99 39600']);
  return { sent, received };
};

const sentAgain = async (day: string, received: Made) => {
  const again = await booked({ day, name: 'sent' }, OUT);
  await paired(again, received, ['0.5', '0.49']);
};

test.each([
  ['in the same month', '2026-01-27', '2026-01-28'],
  ['at its own time', '2026-01-27', '2026-01-20'],
  ['in a later month', '2026-02-05', '2026-02-10'],
])('a fee uses the lots of a departure that is cancelled, and sent again %s', async (_, cancelledOn, day) => {
  const { sent, received } = await charged();
  await reversed(sent, cancelledOn);
  await left();
  await sentAgain(day, received);
  expect(await left()).toEqual(['here 0.99 39600']);
  await booked({ day: '2026-02-20', name: 'later' }, buy('1', '50000'));
  expect(await left()).toEqual(['here 1.99 89600']);
});

test('a fee uses the lots of a departure that is corrected to a day after the fee', async () => {
  const { sent, received } = await charged();
  const right = made({ day: '2026-01-28', name: 'sent', ordinal: 3 }, OUT);
  await post(books.db, [reversalOf(sent, sent.effectiveAt, { ...sent, ordinal: 2 }), right]);
  await paired(right, received, ['0.5', '0.49']);
  expect(await left()).toEqual(['here 0.99 39600']);
});

test('what an open month received of a closed one is valued anew with a departure that is cancelled and sent again in one night', async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const sent = await booked({ day: '2026-01-31', name: 'sent' }, OUT);
  const received = await booked({ day: '2026-02-01', name: 'received', entity: 'a' }, into('0.5'));
  await paired(sent, received, ['0.5', '0.5']);
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  await left();
  await reversed(sent, '2026-03-05');
  const again = await booked({ day: '2026-03-05', hour: '14', name: 'sent' }, OUT);
  await paired(again, received, ['0.5', '0.5']);
  expect(await left()).toEqual(['here 1 40000']);
});
