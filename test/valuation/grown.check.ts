// A month that only grew: what a night brings is valued after what is there, and gives the same rows as all of it from scratch.
import { expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  made,
  paired,
  proved,
  reversed,
  sell,
  taxed,
  withBooks,
} from './month-stand.ts';
import { lived, rated } from './three-months.ts';

withBooks();

const profile = (method: string, rules = '') => taxed(['main'], { method, rules });

test.each([
  ['fifo', ''],
  ['average', ''],
  ['hifo', 'without-lot:zero'],
  ['fifo', 'wallets-from:2026-02-01'],
])('night by night, the values by %s %s are those from scratch', async (method, rules) => {
  await profile(method, rules);
  await rated();
  const random = randomOf(`grown ${method}`);
  const waiting = lived().sort((a, b) => a.effectiveAt.localeCompare(b.effectiveAt));
  while (waiting.length > 0) {
    const night = waiting.splice(0, 1 + random.below(60));
    await post(books.db, night);
    expect(await derived()).toMatchObject({ entries: night.length });
  }
  expect(await derived()).toMatchObject({ from: null });
  await derivedAgain();
  expect(await proved()).toEqual([]);
});

/** Two entries of January, valued. */
const twoValued = async () => {
  const first = await booked({ day: '2026-01-10', name: 'first' }, buy('1', '40000'));
  const second = await booked({ day: '2026-01-12', name: 'second' }, buy('1', '50000'));
  await derived();
  return { first, second };
};

const sale = (day: string, hour = '12') =>
  booked({ day, hour, name: `sold on ${day} ${hour}` }, sell('0.5', '30000'));

test('an entry after all others is valued alone; one before, or at the same instant, values the month again', async () => {
  await twoValued();
  await sale('2026-01-20');
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 1 });
  await sale('2026-01-11');
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 4 });
  await booked({ day: '2026-01-20', name: 'the same instant' }, buy('1', '1000'));
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 5 });
  await sale('2026-01-25');
  await sale('2026-02-02');
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 2 });
  await derivedAgain();
  expect(await proved()).toEqual([]);
});

test('what work ahead has valued is not valued twice', async () => {
  await twoValued();
  await sale('2026-01-20');
  await derive(books.db, BOOKS, { before: '2026-02' });
  await sale('2026-01-25');
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 4 });
  await derivedAgain();
  expect(await proved()).toEqual([]);
});

test('an entry that was numbered before the last count and is not valued is not skipped', async () => {
  await twoValued();
  await books.pool.query('update value.sources set entry_number = entry_number + 1');
  await sale('2026-01-20');
  await sale('2026-01-25');
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 4 });
  await derivedAgain();
});

test('a later reversal is valued alone, and removes the lot that an earlier night made', async () => {
  const { first } = await twoValued();
  await reversed(first, '2026-01-25');
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 1 });
  await derivedAgain();
  expect(await proved()).toEqual([]);
});

test('entries after a late one of a closed month are valued alone; another late one values the month again', async () => {
  await twoValued();
  await close('2026-01');
  await booked({ day: '2026-01-11', period: '2026-02', name: 'late' }, buy('1', '20000'));
  await sale('2026-02-10');
  expect(await derived()).toMatchObject({ from: '2026-02', entries: 2 });
  await sale('2026-02-11');
  expect(await derived()).toMatchObject({ from: '2026-02', entries: 1 });
  await booked({ day: '2026-01-12', period: '2026-02', name: 'later' }, buy('1', '20000'));
  expect(await derived()).toMatchObject({ from: '2026-02', entries: 4 });
  await derivedAgain();
  expect(await proved()).toEqual([]);
});

test.each([
  ['a rate before the last entry', () => rated()],
  ['another cost method', () => profile('hifo')],
  [
    'another counterparty rule',
    () =>
      books.pool.query(
        `insert into decide.profiles (entity_id, version, owner, legal_name, by_name, at) values ('main', 1, 'own', 'Ltd', 'Ada', now())`,
      ),
  ],
  ['stored values that are gone', () => books.pool.query('delete from value.months')],
  ['sources that were not counted', () => books.pool.query('delete from value.sources')],
])('with %s the month is valued from its start', async (_, change) => {
  await twoValued();
  await change();
  await sale('2026-01-20');
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 3 });
  await derivedAgain();
});

test('a pair of own transfers with an entry that was valued before values the month again', async () => {
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('sub', 'sub', 'UTC', 'EUR', '2026-01-01')`);
  await taxed(['main', 'sub'], { taxpayer: 'T' });
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const sent = made({ day: '2026-01-11', name: 'sent' }, [
    'equity:external:person <- assets:trading 0.5 BTC',
  ]);
  await post(books.db, [sent]);
  await derived();
  const received = made({ day: '2026-01-12', name: 'received', entity: 'sub' }, [
    'assets:trading <- equity:external:person 0.5 BTC',
  ]);
  await post(books.db, [received]);
  await paired(sent, received);
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 3 });
  await booked({ day: '2026-01-20', name: 'sold', entity: 'sub' }, sell('0.25', '15000'));
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 1 });
  await derivedAgain();
  expect(await proved()).toEqual([]);
});
