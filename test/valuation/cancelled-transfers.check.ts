// Transfers between own accounts of which both sides are cancelled once their month is closed: whichever is first, nothing stays in transit.
import { describe, expect, test } from 'vitest';
import { returnLate } from '../../src/ledger/ledger.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  gains,
  left,
  paired,
  reversed,
  twoEntities,
  withBooks,
} from './month-stand.ts';
import { closed, findings, type Made, pair, pairedAs, RECEIVED, SENT, sides, transferred } from './sides.ts';

withBooks(twoEntities);

describe.each([
  ['fifo', ''],
  ['average', ''],
  ['specific', ''],
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

  test('a transfer of two lots that is corrected to fewer units, and then cancelled on both sides', async () => {
    await chosen();
    await booked({ day: '2026-01-10', name: 'bought' }, buy('0.3', '12000'));
    await booked({ day: '2026-01-11', name: 'bought too' }, buy('0.7', '35000'));
    const { out, into } = await pair('2026-01-20');
    await closed('2026-01');
    await reversed(out, '2026-01-20', '2026-02');
    const legs = ['equity:external:person <- assets:trading 0.4 BTC'];
    const fewer = await booked({ day: '2026-01-20', period: '2026-02', name: 'sent' }, legs);
    await paired(fewer, into, ['0.4', '0.5']);
    await derive(books.db, BOOKS);
    await reversed(into, '2026-02-25');
    await reversed(fewer, '2026-02-26');
    expect(await left()).toEqual(['here 1 47000']);
    expect(await gains()).toBeNull();
  });

  test('a transfer whose two sides are cancelled and stand again', async () => {
    await chosen();
    const { out, into } = await transferred();
    await reversed(out, '2026-02-05');
    await reversed(into, '2026-02-08');
    await pair('2026-02-20');
    expect(await left()).toEqual(['here 1 40000']);
  });

  test('an arrival that stands again before it was cancelled receives what was sent again', async () => {
    await chosen();
    await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    const { out, into } = await pair('2026-01-20');
    await reversed(out, '2026-01-25');
    const again = await booked({ day: '2026-02-04', name: 'sent' }, SENT);
    await pairedAs(again, into);
    await reversed(into, '2026-02-20');
    const late = { day: '2026-01-20', hour: '13', name: 'received', entity: 'a' };
    await pairedAs(again, await booked(late, RECEIVED));
    expect(await left()).toEqual(['here 1 40000']);
    expect(await gains()).toBeNull();
  });

  test('an arrival that had no lot finds those that were sent again once it stands again too', async () => {
    await chosen();
    await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    const { out, into } = await pair('2026-01-20');
    await reversed(out, '2026-01-25');
    const again = await booked({ day: '2026-02-04', name: 'sent' }, SENT);
    await pairedAs(again, into);
    await derive(books.db, BOOKS);
    await close('2026-01', 'a');
    await reversed(into, '2026-02-20');
    const late = {
      day: '2026-01-20',
      hour: '13',
      period: '2026-02',
      name: 'received',
      entity: 'a',
    };
    await pairedAs(again, await booked(late, RECEIVED));
    expect(await left()).toEqual(['here 1 40000']);
  });

  test('an arrival that stands again alone, once both sides were cancelled, is not the other side of earlier months', async () => {
    await chosen();
    await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    const { out, into } = await pair('2026-01-20');
    await reversed(out, '2026-02-05');
    await reversed(into, '2026-03-05');
    await derive(books.db, BOOKS);
    await booked({ day: '2026-03-10', name: 'received', entity: 'a' }, RECEIVED);
    expect(await left()).toEqual(['here 1.5 65000']); // received of somebody else at 25000
  });

  test.each(['while both stand', 'once both are cancelled'])(
    'a transfer of an open month that is cancelled in a later one has no gain, if its sides are paired %s',
    async (paired) => {
      await chosen();
      await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
      const { out, into } = await sides('2026-02-20');
      if (paired === 'while both stand') await pairedAs(out, into);
      await derive(books.db, BOOKS);
      await reversed(out, '2026-03-05');
      await derive(books.db, BOOKS);
      await reversed(into, '2026-03-05');
      await pairedAs(out, into);
      expect(await left()).toEqual(['here 1 40000']);
      expect(await gains()).toBeNull();
      expect(await findings()).toEqual([]);
    },
  );

  test.each(['each night', 'at the end'])(
    'a late departure that is corrected, cancelled, and stands again leaves nothing in transit, if pairs are made %s',
    async (paired) => {
      const atNight = async (from: Made, to: Made): Promise<void> => {
        if (paired === 'each night') await pairedAs(from, to);
        await derive(books.db, BOOKS);
      };
      await chosen();
      await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
      const { out, into } = await pair('2026-01-20');
      await derive(books.db, BOOKS);
      await close('2026-01');
      await reversed(out, '2026-01-20', '2026-02');
      const late = { day: '2026-01-20', period: '2026-02', name: 'sent' };
      const corrected = await booked({ ...late, hour: '11' }, SENT);
      await atNight(corrected, into);
      await reversed(corrected, '2026-03-10');
      await atNight(corrected, into);
      await pairedAs(await booked({ ...late, hour: '11' }, SENT), into);
      expect(await left()).toEqual(['here 1 40000']);
      expect(await gains()).toBeNull();
      expect(await findings()).toEqual([]);
    },
  );
});

test('a late correction that returns to a month which only its own entity reopened leaves the lots where they are', async () => {
  const { out, into } = await transferred();
  await reversed(out, '2026-01-20', '2026-02');
  const late = { day: '2026-01-21', period: '2026-02', name: 'sent' };
  await pairedAs(await booked({ ...late }, SENT), into);
  await derive(books.db, BOOKS);
  await books.pool.query(`insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
    values ('main', '2026-01', 1, 0, 'Ada', 'r', '2026-03-01')`);
  await returnLate(books.db, { entity: 'main', whose: 'records' });
  const { rows } = await books.pool.query(
    "select entry_id as id, entity_id as entity from books.entries where record_id = 'sent' order by ordinal desc limit 1",
  );
  await pairedAs(rows[0], into);
  expect(await left()).toEqual(['here 1 40000']);
  expect(await findings()).toEqual([]);
});
