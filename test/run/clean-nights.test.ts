// sql/status/clean_nights.sql: the last night after which an entity needed no action by a person.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import { closeRun, verdictsOf } from '../../src/run/run.ts';
import { empty, freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
const idOf = (day: number): string => `00000000-0000-4000-8000-${String(day).padStart(12, '0')}`;

/** A night of March that has read and compared both entities and has not ended. */
const begin = async (day: number, job = 'nightly') => {
  const { rows } = await books.pool.query(
    `insert into run.runs (run_id, job, started_at) values ($1, $2, date '2026-03-01' + $3::int) returning run_number`,
    [idOf(day), job, day - 1],
  );
  await books.pool.query(
    `insert into run.nights (entity_id, run_id, began_at, lists_run_id, reason)
     select entity_id, $1::uuid, date '2026-03-01' + $2::int, $1, 'full' from run.entities where $3 = 'nightly'`,
    [idOf(day), day - 1, job],
  );
  await books.pool.query(
    `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
     select entity_id, $1, 'assets:trading', 'EUR', date '2026-03-01', 1, 1, 0, 'tied' from run.entities`,
    [idOf(day)],
  );
  return { id: idOf(day), job, number: String(rows[0].run_number), startedAt: '' };
};

/** The same night, ended: with its verdicts, unless it failed as a whole. */
const night = async (day: number, exitCode = 0, job = 'nightly', summary = '0 entries booked') => {
  const run = await begin(day, job);
  const isWhole = job === 'nightly' && !summary.startsWith('failed: ');
  const end = { exitCode, requests: 0, pages: 0, fewest: 0, summary };
  await closeRun(books.db, run, { ...end, ...(isWhole && { verdicts: await verdictsOf(books.db, run.id) }) });
};

beforeAll(async () => {
  books = await freshDatabase();
});
beforeEach(async () => {
  await empty(books);
  await books.pool.query(
    "insert into run.entities (entity_id, name, first_seen_at) select id, id, '2026-03-01' from unnest(array['main', 'sub']) id",
  );
  await night(1);
  await night(2);
});
afterAll(() => books.close());

const days = async () => {
  const { rows } = await books.pool.query(loadSql('status/clean_nights.sql'));
  return rows.map(({ entity_id, clean_at }) => [entity_id, clean_at?.slice(8, 10) ?? null]);
};

const find = (entity: string, day: number, { severity = 'finding', subject = 'a' } = {}) =>
  books.pool.query(
    "insert into run.findings (entity_id, run_id, severity, subject, detail) values ($1, $2, $3, $4, 'b')",
    [entity, idOf(day), severity, subject],
  );

test('the last night that finished clean', async () => {
  expect(await days()).toEqual([
    ['main', '02'],
    ['sub', '02'],
  ]);
  await night(3, 2, 'nightly', 'failed: the disk is full');
  await begin(4);
  await night(5, 0, 'reconcile');
  expect(await days()).toEqual([
    ['main', '02'],
    ['sub', '02'],
  ]);
});

test('an entity that was not compared had no clean night', async () => {
  await books.pool.query("delete from reconcile.tie_outs where entity_id = 'sub'");
  expect(await days()).toEqual([
    ['main', '02'],
    ['sub', null],
  ]);
});

test('a finding ends it for its entity alone, also one that it failed with; a note does not', async () => {
  const run = await begin(3);
  await find('sub', 3, { subject: 'failed' });
  await find('main', 3, { severity: 'note' });
  const end = { exitCode: 2, requests: 0, pages: 0, fewest: 0, summary: '0 entries booked; failed: sub: b' };
  await closeRun(books.db, run, { ...end, verdicts: await verdictsOf(books.db, run.id) });
  expect(await days()).toEqual([
    ['main', '03'],
    ['sub', '02'],
  ]);
});

const OPEN = {
  'a break': `
    insert into reconcile.breaks (break_id, entity_id, check_name, subject, status, reason, opened_at, since, run_id)
    values ('b1', 'sub', 'trading_tie_out', 's', 'open', 'r', '2026-03-03', '2026-03-03', '${idOf(1)}')`,
  'a gap': `
    insert into land.coverage (entity_id, stream, scope, covered)
    values ('sub', 'movements', '', '{(,2026-01-02),[2026-01-03,2026-01-04)}')`,
};

const AFTERWARDS = {
  'a break': `update reconcile.breaks set status = 'resolved', resolved_at = '2026-03-03'`,
  'a gap': `update land.coverage set covered = '{(,2026-01-04)}'`,
};

test.each(['a break', 'a gap'] as const)(
  '%s ends it while it is open; what becomes of it later changes no night',
  async (what) => {
    await books.pool.query(OPEN[what]);
    await night(3, 1);
    const found = [
      ['main', '03'],
      ['sub', '02'],
    ];
    expect(await days()).toEqual(found);
    await books.pool.query(AFTERWARDS[what]);
    expect(await days()).toEqual(found);
    await night(4);
    const clean = [
      ['main', '04'],
      ['sub', '04'],
    ];
    expect(await days()).toEqual(clean);
    await books.pool.query(`delete from land.coverage; delete from reconcile.breaks`);
    await books.pool.query(OPEN[what]); // since the fourth night, whatever its own times say
    expect(await days()).toEqual(clean);
  },
);

test('a waiver makes the nights after it clean, and none before it', async () => {
  await books.pool.query(OPEN['a break']);
  await night(3, 1);
  await books.pool.query(
    `insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at)
     values ('sub', 'b1', '2026-03', null, 'Ada', 'r', now())`,
  );
  const { rows } = await books.pool.query('select status from books.breaks');
  expect([rows, (await days())[1]]).toEqual([[{ status: 'waived' }], ['sub', '02']]);
  await night(4);
  expect((await days())[1]).toEqual(['sub', '04']);
  await books.pool.query('delete from decide.waivers'); // as when its month is over
  expect((await days())[1]).toEqual(['sub', '04']);
});
