// Books that were cut back to a moment during a night, by a restored backup or by a server that took over: the night's notes about
// its folders do not hold for them, since later rows get the numbers of those that are gone.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { deposit, refreshStand } from './stand.ts';

const [OCTOBER, NOVEMBER] = ['2026-10', '2026-11'] as const;

let books: TestDatabase;
const { refresh, expectForced } = refreshStand(() => books, ['main']);

const summed = (change: string): string => `
  ${change};
  truncate ledger.daily, ledger.totals;
  insert into ledger.daily select * from ledger.daily_sums;
  insert into ledger.totals select * from ledger.total_sums`;

beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('main', 'main', 'Europe/Madrid', 'EUR', '2026-10-01')`,
  );
  await books.pool.query(summed(deposit('main', '2026-10-10T10:00:00Z')));
  await books.pool.query(summed(deposit('main', '2026-11-10T10:00:00Z')));
});
afterAll(() => books.close());

/** Cuts the books back to a moment at which the run was at work and had not booked its last entry. */
const cutBack = (run: string): string => `
  update run.runs set finished_at = null where run_id = '${run}';
  delete from ledger.transfers where (entity_id, entry_id) in (
    select entity_id, entry_id from ledger.entries order by entry_number desc limit 1);
  select setval('ledger.entries_entry_number_seq', max(entry_number) - 1) from ledger.entries;
  delete from ledger.entries where entry_number = (select max(entry_number) from ledger.entries)`;

test('books as of a moment during the run write everything', async () => {
  await refresh();
  const run = randomUUID();
  await books.pool.query(summed(deposit('main', '2026-11-11T10:00:00Z')));
  expect(await refresh(undefined, { run })).toEqual({ [NOVEMBER]: expect.any(Number) });
  await books.pool.query(cutBack(run));
  await books.pool.query(summed(deposit('main', '2026-10-11T10:00:00Z')));
  const written = await refresh();
  for (const month of [OCTOBER, NOVEMBER]) await expectForced(month, written);
});

test('the run that drafted the folders goes on with its drafts', async () => {
  const run = randomUUID();
  await books.pool.query(summed(deposit('main', '2026-11-12T10:00:00Z')));
  await refresh(undefined, { run, isDraft: true });
  const written = await refresh(undefined, { run });
  expect(written[NOVEMBER]).toBeGreaterThan(0);
  await expectForced(NOVEMBER, written);
});
