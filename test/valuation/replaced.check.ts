// Entries in place of others whose lots were moved or used: corrected to another amount after their month was closed, corrected and cancelled
// later, or standing again before they were cancelled. Each unit of cost is spent once.
import { beforeEach, describe, expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { returnLate } from '../../src/ledger/ledger.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  closeBoth,
  gains,
  left,
  made,
  officialRates,
  paired,
  sell,
  taxed,
  withBooks,
} from './month-stand.ts';

withBooks();

type Made = ReturnType<typeof made>;

const out = (units: string) => [`equity:external:blockchain <- assets:pocket:p ${units} BTC`];
const into = (units: string) => [`assets:pocket:q <- equity:external:blockchain ${units} BTC`];
const FEE = 'expenses:fees:network <- assets:pocket:p 0.001 BTC';
const moved = (units: string) => [`assets:pocket:p <- assets:trading ${units} BTC`];

/** What an entry becomes in a later month: another entry, at its own time. */
const corrected = async (was: Made, legs: readonly string[], period: string) => {
  const late = { period, originalPeriod: was.effectiveAt.slice(0, 7) };
  const right = made(
    {
      day: was.effectiveAt.slice(0, 10),
      period,
      name: was.recordId,
      entity: was.entity,
      ordinal: was.ordinal + 2,
    },
    legs,
  );
  await post(books.db, [
    reversalOf(was, was.effectiveAt, { ...was, ordinal: was.ordinal + 1, ...late }),
    right,
  ]);
  return right;
};

/** Cancels an entry on a day. */
const cancelled = (was: Made, day: string) => {
  const instant = `${day}T12:00:00.000Z`;
  return post(books.db, [
    reversalOf(was, instant, {
      ...was,
      ordinal: was.ordinal + 1,
      recordedAt: instant,
      period: day.slice(0, 7),
      originalPeriod: null,
    }),
  ]);
};

/** A transfer from main to a, of 0.5 out of 1 BTC for 40,000; later main buys 1 for 60,000. January is closed. */
const transferred = async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await booked({ day: '2026-01-11', name: 'inside' }, moved('1'));
  const sent = await booked({ day: '2026-01-20', name: 'sent' }, out('0.5'));
  const received = await booked({ day: '2026-01-21', name: 'received', entity: 'a' }, into('0.5'));
  await paired(sent, received);
  await booked({ day: '2026-01-25', name: 'dear' }, buy('1', '60000'));
  await booked({ day: '2026-01-26', name: 'inside again' }, moved('1'));
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  return { sent, received };
};

const taxedTogether = (method: string, rules: string) => async () => {
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01')`,
  );
  await taxed(['main', 'a'], { taxpayer: 'T', method, rules });
  await officialRates('2026-04-30');
};

describe.each([
  ['fifo', ''],
  ['average', ''],
  ['hifo', ''],
  ['fifo', 'wallets-from:2026-01-01'],
  ['average', 'wallets-from:2026-02-01'],
])('with the method %s and the rules "%s"', (method, rules) => {
  beforeEach(taxedTogether(method, rules));

  test('a departure that was more than it seemed leaves the difference in transit', async () => {
    const { sent, received } = await transferred();
    await paired(await corrected(sent, out('0.6'), '2026-02'), received);
    const [here, transit, ...others] = await left();
    expect(others).toEqual([]);
    expect([here?.split(' ')[1], transit?.split(' ').slice(0, 2).join(' ')]).toEqual([
      '1.9',
      'in-transit 0.1',
    ]);
    expect(Number(here?.split(' ')[2]) + Number(transit?.split(' ')[2])).toBe(100000);
  });

  test('a departure that was less than it seemed returns the difference, which the arrival has too', async () => {
    const { sent, received } = await transferred();
    await paired(await corrected(sent, out('0.4'), '2026-02'), received);
    const [here, ...others] = await left();
    expect(here).toMatch(/^here 2.1 /);
    expect(others).toEqual(['without a lot: in-transit 0.1']);
  });

  test.each([
    ['0.4', /^here 1.5 /, ['in-transit 0.1']],
    ['0.6', /^here 1.7 /, ['without a lot: in-transit 0.1']],
  ])('an arrival that is corrected to %s after its units were sold', async (units, here, off) => {
    const { sent, received } = await transferred();
    await booked({ day: '2026-02-01', name: 'spare', entity: 'a' }, [
      'assets:pocket:q <- equity:conversion 0.1 BTC',
      'equity:conversion <- assets:pocket:q 5000 EUR',
    ]);
    await booked({ day: '2026-02-02', name: 'sold', entity: 'a' }, [
      'equity:conversion <- assets:pocket:q 0.5 BTC',
      'assets:pocket:q <- equity:conversion 30000 EUR',
    ]);
    await left();
    await closeBoth('2026-02');
    await paired(sent, await corrected(received, into(units), '2026-03'));
    const [lots, ...others] = await left();
    expect(lots).toMatch(here);
    expect(others.map((line) => line.replace(/^(in-transit 0.1) .*/, '$1'))).toEqual(off);
  });

  test('a departure that is corrected late, and cancelled once that month is closed, too', async () => {
    const { sent, received } = await transferred();
    const right = await corrected(sent, [...out('0.5'), FEE], '2026-02');
    await paired(right, received);
    expect((await left())[0]).toMatch(/^here 1.999 /);
    await closeBoth('2026-02');
    await cancelled(right, '2026-03-05');
    const [here, ...others] = await left();
    expect(here).toMatch(/^here 2.5 /);
    expect(others).toEqual(['without a lot: in-transit 0.5']);
    await closeBoth('2026-03');
    const again = await booked({ day: '2026-01-20', period: '2026-04', name: 'sent' }, out('0.5'));
    await paired(again, received);
    expect(await left()).toEqual(['here 2 100000']);
  });

  test('a departure that stands again, is cancelled and stands again in one month', async () => {
    const { sent, received } = await transferred();
    await cancelled(sent, '2026-02-05');
    await left();
    await closeBoth('2026-02');
    const again = await booked({ day: '2026-01-20', period: '2026-03', name: 'sent' }, out('0.5'));
    await paired(again, received);
    await cancelled(again, '2026-03-10');
    const last = await booked({ day: '2026-01-20', period: '2026-03', name: 'sent' }, out('0.5'));
    await paired(last, received);
    expect(await left()).toEqual(['here 2 100000']);
    expect(Number(await gains())).toBe(0);
  });
});

// One lot, which every method finds: what differs is how the cost is pooled.
describe.each([
  ['fifo', ''],
  ['average', ''],
  ['fifo', 'wallets-from:2026-01-01'],
])('of one lot, with the method %s and the rules "%s"', (method, rules) => {
  beforeEach(taxedTogether(method, rules));

  test.each(['2026-01-25', '2026-02-05'])(
    'a sale that stands again before it was cancelled on %s has its gain once',
    async (day) => {
      await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
      const sold = await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '50000'));
      await cancelled(sold, day);
      await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '50000'));
      expect(await left()).toEqual([]);
      expect(await gains()).toBe('10000');
    },
  );

  test('a sale of a closed month that is cancelled and stands again in the next one has its gain once', async () => {
    await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    const sold = await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '50000'));
    await derive(books.db, BOOKS);
    await closeBoth('2026-01');
    await cancelled(sold, '2026-02-10');
    const again = await booked({ day: '2026-01-20', period: '2026-02', name: 'sold' }, sell('1', '50000'));
    await cancelled(again, '2026-02-10');
    await booked({ day: '2026-01-20', period: '2026-02', name: 'sold' }, sell('1', '50000'));
    expect(await left()).toEqual([]);
    expect(await gains()).toBe('10000');
  });
});

test('a late entry that an entity takes back to its month, while another of its taxpayer has closed the next one', async () => {
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01')`,
  );
  await taxed(['main', 'a'], { taxpayer: 'T' });
  await booked({ day: '2026-02-20', name: 'of main' }, buy('1', '1000'));
  await close('2026-01', 'a');
  const late = { day: '2026-01-10', period: '2026-02', name: 'bought', entity: 'a' };
  const bought = await booked(late, buy('1', '40000'));
  await corrected(bought, buy('1', '44000'), '2026-02');
  expect(await left()).toEqual(['here 2 45000']);
  await close('2026-02');
  await books.pool.query(
    `insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at) values ('a', '2026-01', 1, 0, 'Ada', 'r', now())`,
  );
  expect(await returnLate(books.db, { entity: 'a', whose: 'records' })).toBe(3);
  expect(await left()).toEqual(['here 2 45000']);
});
