// Status: its lines for findings, and for accounts that were not compared.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { statusOf } from '../../src/run/status.ts';
import { empty, freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
beforeEach(async () => {
  await empty(books);
  await books.pool.query(
    "insert into run.entities (entity_id, name, first_seen_at) values ('main', 'main', '2026-03-01')",
  );
});
afterAll(() => books.close());

const idOf = (day: number): string => `00000000-0000-4000-8000-${String(day).padStart(12, '0')}`;

/** A run of a day of March with these findings. */
const ran = async (day: number, run: { job: string; exit: number | null; found?: string[] }) => {
  await books.pool.query(
    "insert into run.runs (run_id, job, started_at, exit_code) values ($1, $2, date '2026-03-01' + $3::int, $4)",
    [idOf(day), run.job, day, run.exit],
  );
  for (const subject of run.found ?? [])
    await books.pool.query(
      "insert into run.findings (entity_id, run_id, severity, subject, detail) values ('main', $1, 'finding', $2, 'why')",
      [idOf(day), subject],
    );
};
const found = async () => (await statusOf(books)).findings.map(({ subject }) => subject);

test('findings are those of the last run that read', async () => {
  await ran(1, { job: 'nightly', exit: 1, found: ['older'] });
  await ran(2, { job: 'nightly', exit: 1, found: ['no-longer-listed'] });
  expect(await found()).toEqual(['no-longer-listed']);
  await ran(3, { job: 'extract', exit: 0 });
  expect(await found()).toEqual([]);
});

test.each([2, 64, null])('a run that ended with %s adds its findings, and hides none', async (exit) => {
  await ran(1, { job: 'nightly', exit: 1, found: ['no-longer-listed', 'clock'] });
  await ran(2, { job: 'nightly', exit, found: ['clock', 'key'] });
  expect(await found()).toEqual(['clock', 'key', 'no-longer-listed']);
  await ran(3, { job: 'reconcile', exit: 0 });
  expect(await found()).toEqual(['clock', 'key', 'no-longer-listed']);
  await ran(4, { job: 'nightly', exit: 0 });
  expect(await found()).toEqual([]);
});

test('uncovered accounts are counted, but are not differences', async () => {
  await ran(1, { job: 'nightly', exit: 0 });
  await books.pool.query(
    `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status) values
      ('main', $1, 'assets:trading', 'EUR', '2026-03-02', 10, 8, 2, 'break'),
      ('main', $1, 'assets:earn', 'EUR', '2026-03-02', 100, 3, 97, 'uncovered'),
      ('main', $1, 'assets:pocket:p1', 'EUR', '2026-03-02', null, 4, null, 'uncovered')`,
    [idOf(1)],
  );
  expect((await statusOf(books)).consolidated).toMatchObject([
    { currency: 'EUR', reported: '10', booked: '8', difference: '2', not_compared: '7', uncovered: 2 },
  ]);
});

test('a note on late entries goes when their month is reopened', async () => {
  await ran(1, { job: 'nightly', exit: 1, found: ['late for 2026-01', 'late for 2026-02'] });
  await books.pool.query(
    `insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
      values ('main', '2026-02', 1, 0, 1, repeat('0', 64), '{}', 'Ada', '2026-03-01');`,
  );
  expect(await found()).toEqual(['late for 2026-01', 'late for 2026-02']);
  await books.pool.query(
    "insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at) values ('main', '2026-02', 1, 0, 'Ada', 'r', '2026-03-03')",
  );
  expect(await found()).toEqual(['late for 2026-01']);
});
