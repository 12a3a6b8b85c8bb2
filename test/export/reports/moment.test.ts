// Whether books may be exported is checked in the very snapshot that is written.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Books } from '../../../src/database/connection.ts';
import { exportReports } from '../../../src/export/export.ts';
import { post } from '../../../src/ledger/entries.ts';
import { entryOf } from '../../../src/ledger/posting.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';

let books: TestDatabase;
const book = (recordId: string) => {
  const effectiveAt = '2026-10-07T12:00:00.000Z';
  const legs = [{ debit: 'assets:trading', credit: 'equity:external:bank', currency: 'EUR', amount: '5' }];
  const draft = { kind: 'movement', effectiveAt, description: recordId, legs } as const;
  const record = { entity: 'main', stream: 'movements', recordId, version: 1, ordinal: 1, ruleVersion: 1 };
  const place = { recordedAt: effectiveAt, period: '2026-10', originalPeriod: null };
  return post(books.db, [entryOf(draft, { ...record, ...place })]);
};
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('main', 'main', 'UTC', 'EUR', now())`);
  await book('first');
});
afterAll(() => books.close());

const entriesIn = async (db: Books): Promise<number> =>
  (await db.selectFrom('ledger.entries').select('entry_id').execute()).length;

/** Reads, lets another session book an entry, as a night might, and reads again. */
const meanwhile = (recordId: string, seen: number[]) => async (moment: Books) => {
  seen.push(await entriesIn(moment));
  await book(recordId);
  seen.push(await entriesIn(moment));
};

const ask = () => ({
  pool: books.pool,
  period: '2026-10',
  timezone: 'UTC',
  currency: 'EUR',
  settings: {},
  outDir: join(newFolder(), 'october'),
});

test('an export contains the rows that were checked, and none that came later', async () => {
  const seen: number[] = [];
  const { dir } = await exportReports({ ...ask(), refuse: meanwhile('second', seen) });
  expect(seen).toEqual([1, 1]);
  expect(readFileSync(join(dir, 'journal.csv'), 'utf8').trim().split('\n')).toHaveLength(1 + 2); // a head, two lines
  expect(await entriesIn(books.db)).toBe(2);
}, 30_000);

test('so does the proof of a folder; the next proof sees them', async () => {
  const { dir, manifest } = await exportReports(ask());
  const fault = async (refuse: (moment: Books) => Promise<void>) =>
    (await verifyAgainstBooks(books.pool, dir, { manifest, settings: {}, refuse }))[0]?.first;
  expect(await fault(meanwhile('third', []))).toBeNull();
  expect(await fault(async () => {})).toMatch(/csv/);
}, 30_000);

test('nothing is written if the check refuses', async () => {
  const refuse = async () => {
    throw new Error('not whole');
  };
  await expect(exportReports({ ...ask(), refuse })).rejects.toThrow('not whole');
}, 30_000);
