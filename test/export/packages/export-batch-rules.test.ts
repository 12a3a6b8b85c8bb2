// The rules of a batch: files within the limits of a package, one year, the next number, and no line added later.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inSession } from '../../../src/database/connection.ts';
import { addressesOf } from '../../database/roles/logins.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';
import { deposit } from '../refresh/stand.ts';
import { makeValueWorld, tell } from '../value-world.ts';
import { hand, ofPackage, type Stand } from './batches.ts';

let stand: Stand;
let books: TestDatabase;
let folder: string;

beforeAll(async () => {
  books = await freshDatabase();
  folder = newFolder();
  stand = { books, folder };
  await makeValueWorld(books);
});
afterAll(() => books.close());

test('files are split at the limits of a package, and for DATEV by month', async () => {
  const many = Array.from({ length: 200 }, (_, i) => [
    `2026-${i < 100 ? '11' : '12'}-07 m${i} assets:trading BTC 1 1`,
    `2026-${i < 100 ? '11' : '12'}-07 m${i} assets:trading EUR -1 -1`,
  ]).flat();
  await tell(books, many);
  const xero = await hand(stand, 'xero', { period: '2026-Q4' });
  expect(xero && ofPackage(xero).map(({ name, rows }) => [name, rows])).toEqual([
    ['xero-2026-0001-1.csv', 298],
    ['xero-2026-0001-2.csv', 102],
  ]);
  const datev = await hand(stand, 'datev', { period: '2026-11-01..2026-12-31' });
  expect(datev && ofPackage(datev).map(({ name, rows }) => [name, rows])).toEqual([
    ['EXTF_Buchungsstapel_2026-0002-1.csv', 100],
    ['EXTF_Buchungsstapel_2026-0002-2.csv', 100],
  ]);
  await tell(books, ['2027-01-01 next assets:trading BTC 1 5', '2027-01-01 next assets:trading EUR -5 -5']);
  const both = hand(stand, 'quickbooks', { period: '2026-12-01..2027-01-31' });
  await expect(both).rejects.toThrow('has entries of 2026 and 2027, and a batch belongs to one year');
  expect((await hand(stand, 'quickbooks', { period: '2027' }))?.manifest.batch).toMatchObject({
    year: '2027',
    number: 1,
  });
});

test('an entry with more lines than a file takes is refused with what exports it, and that exports it', async () => {
  const wide = Array.from({ length: 300 }, (_, i) => `2025-10-05 wide assets:pocket:p${i} EUR 1 1`);
  await tell(books, [...wide, '2025-10-05 wide assets:trading EUR -300 -300']);
  const more = { period: '2025-10', outDir: () => join(folder, 'wide') };
  await expect(hand(stand, 'xero', more)).rejects.toMatchObject({
    exitCode: 64,
    message: expect.stringMatching(
      /has 301 lines, and a file of this package takes 300, .*: add its lines up by account with --summary day, or choose another package$/,
    ),
  });
  const batch = await hand(stand, 'xero', { ...more, summary: 'day' });
  expect(batch && ofPackage(batch).map(({ rows }) => rows)).toEqual([2]);
  expect(await hand(stand, 'xero', more)).toBeNull();
});

test('a folder whose batch was never recorded is not overwritten', async () => {
  const target = join(folder, 'killed');
  mkdirSync(target);
  const batch = { year: '2026', number: 3, package: 'holded' };
  writeFileSync(
    join(target, 'manifest.json'),
    JSON.stringify({
      program: { name: 'tieout' },
      files: [],
      control_totals: [],
      period: '2026-12',
      entities: ['main'],
      profile: 'machine',
      format: 'holded',
      batch,
    }),
  );
  const killed = hand(stand, 'holded', { period: '2026-12', outDir: () => target });
  await expect(killed).rejects.toThrow('holds batch 3 of 2026, which is not in the books');
});

test('the database enforces the order and the content: a number follows the last, no line is added later, and entries balance', async () => {
  await books.pool.query(deposit('main', '2026-10-02T12:00:00Z'));
  const { preparer } = await addressesOf(books.url);
  const as = (sql: string) => inSession(preparer, 'tieout test', (session) => session.query(sql));
  const batch = (number: number) => `
    insert into decide.batches (entity_id, year, batch_number, package, period, currency, timezone, map_sha256, settings, facts,
      entries, lines, by_name, at)
    values ('main', 2026, ${number}, 'xero', '2026-10', 'EUR', 'UTC', repeat('a', 64), '{}', '{}', 1, 2, 'Ada', now())`;
  const lines = (number: number, values = [1, -1], entry = 'e.entry_id') => `
    insert into decide.batch_lines (entity_id, year, batch_number, line, ordinal, entry_id, day, kind, stream, record_id, account,
      currency, counterparty_type, units, value, code, name, tax, dimension1, dimension2)
    select 'main', 2026, ${number}, 9000 + n, 1, ${entry}, '2026-10-01', 'new', e.stream, e.record_id, 'a', 'EUR', '', value, value, '1', 'n', '', '', ''
    from (select * from ledger.entries where entity_id = 'main' limit 1) as e, unnest('{${values}}'::numeric[]) with ordinality as v (value, n)`;
  await expect(as(batch(9))).rejects.toThrow('row-level security');
  await expect(as(lines(1))).rejects.toThrow('row-level security');
  await expect(as(lines(3)), 'lines without a batch').rejects.toThrow('foreign key');
  await expect(as("update decide.batches set by_name = 'Eve'")).rejects.toThrow('permission denied');
  await expect(as(batch(3)), 'a batch without its lines').rejects.toThrow('row-level security');
  for (const forged of [lines(3, [1, -2]), lines(3, [1, -1], 'gen_random_uuid()')])
    await expect(as(`${forged}; ${batch(3)}`), 'what no later batch could correct').rejects.toThrow(
      'row-level security',
    );
  await as(`${lines(3)}; ${batch(3)}`);
  await expect(as(batch(3))).rejects.toThrow(/row-level security|duplicate key/);
  await books.pool.query('delete from decide.batch_lines where batch_number = 3');
});

test('an account without any value needs no line in the map', async () => {
  await tell(books, [
    '2026-10-04 drip assets:trading BTC 1 5',
    '2026-10-04 drip income:rewards BTC -0.000000001 0.00',
    '2026-10-04 drip assets:trading EUR -5 -5',
  ]);
  const batch = await hand(stand, 'xero', { outDir: () => join(folder, 'drip') });
  expect(batch && ofPackage(batch).map(({ rows }) => rows)).toEqual([2]);
});
