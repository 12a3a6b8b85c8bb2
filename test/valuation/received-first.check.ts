// Arrivals that were closed with units of no lot, because the departure had been corrected to less, and whose departure is corrected or sent again
// later with more: what leaves then has arrived already, so it does not wait in transit beside units without a lot.
import { beforeEach, describe, expect, test } from 'vitest';
import { returnLate } from '../../src/ledger/ledger.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { BOOKS, booked, books, buy, closeBoth, gains, left, paired, sell, withBooks } from './month-stand.ts';
import { PAIR, sideOf, taxedBy } from './sides.ts';

withBooks();

const account = `equity:external:${PAIR.outside}`;

const sides = (receiver: string) => {
  const out = sideOf('main', ['sent', '2026-01-20'], (units) => `${account} <- assets:trading ${units} BTC`);
  const into = sideOf(
    receiver,
    ['back', '2026-02-05'],
    (units) => `assets:trading <- ${account} ${units} BTC`,
  );
  const pair = async (): Promise<void> => {
    const [from, to] = [out.standing(), into.standing()];
    if (from.entry && to.entry) await paired(from.entry, to.entry, [from.amount, to.amount]);
  };
  return { out, into, pair };
};

/** Of half a coin that arrives in February a tenth has no lot, because the departure is corrected to less before that month is closed. */
const lacking = async (receiver: string) => {
  const { out, into, pair } = sides(receiver);
  const closed = async (month: string): Promise<void> => {
    await pair();
    await derive(books.db, BOOKS);
    await closeBoth(month);
  };
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await booked({ day: '2026-01-12', name: 'dear' }, buy('1', '60000'));
  await out.send('0.5');
  await closed('2026-01');
  await into.send('0.5');
  await out.correct('0.4', '2026-02');
  await closed('2026-02');
  return { out, into, pair, closed };
};

/** The later findings that a closed month is the cause of. */
const found = async (): Promise<string[]> => {
  const { rows } = await books.pool.query(
    `select concat_ws(' ', period, units, substring(detail from 'reopen 2026-..')) as text from books.value_findings
     where kind = 'closed-side' order by period`,
  );
  return rows.map(({ text }) => text);
};

/** Reopens months, the last one first; what is late of them returns there. */
const reopened = async (months: readonly string[]): Promise<void> => {
  for (const entity of ['main', 'a']) {
    await books.pool.query(
      `insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
       select $2, month, 1, 0, 'Ada', 'r', '2026-06-01' from unnest($1::text[]) as month`,
      [months, entity],
    );
    await returnLate(books.db, { entity, whose: 'records' });
  }
};

const totalCost = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);

describe.each([
  ['fifo', ''],
  ['average', ''],
  ['hifo', ''],
  ['fifo', 'without-lot:zero'],
  ['fifo', 'wallets-from:2026-02-01'],
])('with the method %s and the rules "%s"', (method, rules) => {
  beforeEach(() => taxedBy(method, rules));

  test.each(['main', 'a'])('a departure to %s that is corrected to more', async (receiver) => {
    const { out, pair } = await lacking(receiver);
    await booked({ day: '2026-03-10', name: 'sold' }, sell('0.5', '25000'));
    await out.correct('0.7', '2026-04');
    await pair();
    const lots = await left();
    expect(lots.map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['here', '1.3'],
      ['in-transit', '0.2'],
    ]);
    expect(totalCost(lots) - Number(await gains())).toBe(100000 - 25000); // each unit of cost is used once
    expect(await found()).toEqual(['2026-04 0.1 reopen 2026-02']);
    await reopened(['2026-02']);
    expect(totalCost(await left()) - Number(await gains())).toBe(100000 - 25000);
    expect(await found()).toEqual([]);
  });

  test.each(['main', 'a'])('a departure to %s that is cancelled and sent again', async (receiver) => {
    const { out, pair, closed } = await lacking(receiver);
    await out.correct('0.7', '2026-03');
    await closed('2026-03');
    await out.cancel('2026-04');
    await closed('2026-04');
    await out.send('0.6', '2026-05');
    await pair();
    const lots = await left();
    expect(lots.map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['here', '1.9'],
      ['in-transit', '0.1'],
    ]);
    expect(totalCost(lots)).toBe(100000);
    expect(await found()).toContain('2026-05 0.1 reopen 2026-02');
  });
});
