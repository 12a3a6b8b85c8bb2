// sql/status/clean_nights.sql: the last night after which an entity needed no action by a person.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
const idOf = (day: number): string => `00000000-0000-4000-8000-${String(day).padStart(12, '0')}`;

/** A night of March for both entities. */
const night = async (day: number, exit: number | null, job = 'nightly', summary: string | null = null) => {
  await books.pool.query(
    `insert into run.runs (run_id, job, started_at, finished_at, exit_code, summary)
     values ($1, $2, date '2026-03-01' + $3::int, date '2026-03-01' + $3::int + time '01:00', $4, $5)`,
    [idOf(day), job, day - 1, exit, summary],
  );
  await books.pool.query(
    `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
     select entity_id, $1, 'assets:trading', 'EUR', date '2026-03-01', 1, 1, 0, 'tied' from run.entities`,
    [idOf(day)],
  );
};

beforeEach(async () => {
  books = await freshDatabase();
  await books.pool.query(
    "insert into run.entities (entity_id, name, first_seen_at) select id, id, '2026-03-01' from unnest(array['main', 'sub']) id",
  );
  await night(1, 0);
  await night(2, 0);
});
afterEach(() => books.close());

const days = async () => {
  const { rows } = await books.pool.query(loadSql('status/clean_nights.sql'));
  return rows.map(({ entity_id, clean_at }) => [entity_id, clean_at?.slice(8, 10) ?? null]);
};

test('the last night that finished clean', async () => {
  expect(await days()).toEqual([
    ['main', '02'],
    ['sub', '02'],
  ]);
  await night(3, 2);
  await night(4, null);
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

test('a finding ends it for its entity; a note does not', async () => {
  const find = (entity: string, day: number, severity: string) =>
    books.pool.query(
      "insert into run.findings (entity_id, run_id, severity, subject, detail) values ($1, $2, $3, 'a', 'b')",
      [entity, idOf(day), severity],
    );
  await find('sub', 2, 'finding');
  await find('main', 2, 'note');
  expect(await days()).toEqual([
    ['main', '02'],
    ['sub', '01'],
  ]);
});

test('an entity that fails ends it for itself alone, and a night that failed as a whole for all', async () => {
  await night(3, 2, 'nightly', '0 entries booked; failed: sub: blocked');
  await books.pool.query(
    "insert into run.findings (entity_id, run_id, severity, subject, detail) values ('sub', $1, 'finding', 'failed', 'b')",
    [idOf(3)],
  );
  await night(4, 2, 'nightly', 'failed: the disk is full');
  expect(await days()).toEqual([
    ['main', '03'],
    ['sub', '02'],
  ]);
});

test('a break ends it while it is open, and a gap at any time', async () => {
  await books.pool.query(
    `insert into reconcile.breaks (break_id, entity_id, check_name, subject, status, reason, opened_at, since, resolved_at, run_id)
     values ('b1', 'sub', 'trading_tie_out', 's', 'resolved', 'r', '2026-03-02', '2026-03-02', '2026-03-03', $1)`,
    [idOf(2)],
  );
  expect(await days()).toEqual([
    ['main', '02'],
    ['sub', '01'],
  ]);
  await night(4, 0);
  expect(await days()).toEqual([
    ['main', '04'],
    ['sub', '04'],
  ]);
  await books.pool.query(
    `insert into land.coverage (entity_id, stream, scope, covered)
     values ('main', 'movements', '', '{[2026-01-01,2026-01-02),[2026-01-03,2026-01-04)}')`,
  );
  expect(await days()).toEqual([
    ['main', null],
    ['sub', '04'],
  ]);
});
