// Transfers between own accounts of which both sides are cancelled once their month is closed: whichever is first, nothing stays in transit.
import { describe, expect, test } from 'vitest';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  closeBoth,
  gains,
  left,
  paired,
  reversed,
  twoEntities,
  withBooks,
} from './month-stand.ts';

withBooks(twoEntities);

const SENT = ['equity:external:person <- assets:trading 0.5 BTC'];
const RECEIVED = ['assets:trading <- equity:external:person 0.5 BTC'];

const pair = async (day: string, ordinal = 1) => {
  const out = await booked({ day, name: 'sent', ordinal }, SENT);
  const into = await booked({ day, hour: '13', name: 'received', entity: 'a', ordinal }, RECEIVED);
  await paired(out, into, ['0.5', '0.5']);
  return { out, into };
};

const closed = async (month: string): Promise<void> => {
  await derive(books.db, BOOKS);
  await closeBoth(month);
};

/** A transfer of a closed month. */
const transferred = async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const transfer = await pair('2026-01-20');
  await closed('2026-01');
  return transfer;
};

const findings = async (): Promise<string[]> => {
  const { rows } = await books.pool.query(
    "select format('%s: %s %s', period, kind, units) as text from books.value_findings where severity = 'finding'",
  );
  return rows.map(({ text }) => text);
};

describe.each([
  ['fifo', ''],
  ['average', ''],
  ['hifo', 'wallets-from:2026-01-01'],
  ['fifo', 'without-lot:zero'],
])('%s %s', (method, rules) => {
  const chosen = () =>
    books.pool.query("update decide.profiles set cost_method = $1, lot_rules = nullif($2, '')", [
      method,
      rules,
    ]);

  test.each([
    ['2026-02-05', '2026-02-08'],
    ['2026-02-08', '2026-02-05'],
    ['2026-02-05', '2026-02-05'],
  ])('a transfer whose two sides are cancelled on %s and %s', async (sentOn, receivedOn) => {
    await chosen();
    const { out, into } = await transferred();
    await reversed(out, sentOn);
    await derive(books.db, BOOKS);
    await reversed(into, receivedOn);
    expect(await left()).toEqual(['here 1 40000']);
    expect(await gains()).toBeNull();
    expect(await findings()).toEqual([]);
  });

  test('an arrival that is cancelled once the month of the cancelled departure is closed', async () => {
    await chosen();
    const { out, into } = await transferred();
    await reversed(out, '2026-02-05');
    await closed('2026-02');
    await reversed(into, '2026-03-08');
    expect(await left()).toEqual(['here 1 40000']);
    expect(await findings()).toEqual(['2026-02: closed-side 0.5']);
  });

  test('a transfer whose two sides are cancelled and stand again', async () => {
    await chosen();
    const { out, into } = await transferred();
    await reversed(out, '2026-02-05');
    await reversed(into, '2026-02-08');
    await pair('2026-02-20', 3);
    expect(await left()).toEqual(['here 1 40000']);
  });
});
