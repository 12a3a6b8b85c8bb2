// A departure to an own account that is cancelled, and stands again after the month of its cancellation was closed: its lots leave once,
// because a closed month took them to the arrival.
import { beforeEach, describe, expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  closeBoth,
  left,
  type made,
  officialRates,
  paired,
  reversed,
  sell,
  taxed,
  withBooks,
} from './month-stand.ts';

withBooks();

const OUT = ['equity:external:blockchain <- assets:trading 0.5 BTC'];
const INTO = ['assets:trading <- equity:external:blockchain 0.5 BTC'];

/** A departure of January is cancelled in February, and both months are closed. */
const cancelled = async () => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const sent = await booked({ day: '2026-01-20', name: 'sent' }, OUT);
  const received = await booked({ day: '2026-01-21', name: 'received', entity: 'a' }, INTO);
  await paired(sent, received);
  await booked({ day: '2026-01-25', name: 'dear' }, buy('1', '60000'));
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  await reversed(sent, '2026-02-05');
  return received;
};

const sentAgain = async (received: ReturnType<typeof made>) => {
  const again = await booked({ day: '2026-01-20', period: '2026-03', name: 'sent' }, OUT);
  await paired(again, received);
  return again;
};

describe.each([
  ['fifo', null],
  ['average', null],
  ['hifo', null],
  ['fifo', 'wallets-from:2026-01-01'],
  ['fifo', 'wallets-from:2026-02-01'],
  ['average', 'wallets-from:2026-02-01'],
])('with the method %s and the rules %s', (method, rules) => {
  beforeEach(async () => {
    await books.pool.query(
      `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01')`,
    );
    await taxed(['main', 'a'], { taxpayer: 'T', method, rules: rules ?? '' });
    await officialRates('2026-03-31');
  });

  test('what was sold since is replaced by other lots, and the gain has the difference', async () => {
    const received = await cancelled();
    await booked({ day: '2026-02-10', name: 'sold' }, sell('1.4', '70000'));
    await left();
    await closeBoth('2026-02');
    await sentAgain(received);
    const [pool] = await left();
    const { rows } = await books.pool.query(
      'select trim_scale(sum(gain))::text as gain from books.disposals where gain is not null',
    );
    expect(pool).toMatch(/^here 0.6 /);
    const [cost, gain] = [Number(pool?.split(' ')[2]), Number(rows[0]?.gain)];
    expect(cost - gain).toBe(100000 - 70000); // each unit of cost is used once
  });

  test('the lots that the cancellation gave back leave again, and may be given back again', async () => {
    const received = await cancelled();
    await left();
    await closeBoth('2026-02');
    const before = await left();
    const again = await sentAgain(received);
    expect(await left()).toEqual(['here 2 100000']);
    await closeBoth('2026-03');
    const instant = '2026-04-05T12:00:00.000Z';
    await post(books.db, [
      reversalOf(again, instant, {
        ...again,
        ordinal: again.ordinal + 1,
        recordedAt: instant,
        period: '2026-04',
        originalPeriod: null,
      }),
    ]);
    expect(await left()).toEqual(before);
  });
});
