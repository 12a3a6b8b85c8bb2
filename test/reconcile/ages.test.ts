// The age of a break in a period, and whether it is overdue: in a running period, nothing in the future counts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values
      ('main', 'main', 'UTC', 'EUR', '2026-02-01'), ('new', 'never compared', 'UTC', 'EUR', '2026-03-21')`);
  await compared(1, '2026-03-18T02:00:00Z');
  const opened = (id: string, openedAt: string, resolved: string | null = null) =>
    books.pool.query(
      `insert into reconcile.breaks (entity_id, break_id, check_name, subject, account, currency, reported, booked, difference,
        status, reason, opened_at, since, run_id, resolved_at)
       values ('main', $1, 'trading_tie_out', $1, 'assets:trading', 'EUR', 20000, 0, 20000, $3, 'why', $2, $2, $4, $5)`,
      [id, openedAt, resolved === null ? 'open' : 'resolved', idOf(1), resolved],
    );
  await opened('old', '2026-03-01T00:00:00Z');
  await opened('settled since', '2026-03-11T00:00:00Z', '2026-03-18T12:00:00Z');
  await opened('of the last night', '2026-03-18T02:00:00Z');
});
afterAll(() => books.close());

const idOf = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;

/** A run that compared and is not over: its own export comes before its end. */
const compared = async (nth: number, startedAt: string) => {
  await books.pool.query("insert into run.runs (run_id, job, started_at) values ($1, 'nightly', $2)", [
    idOf(nth),
    startedAt,
  ]);
  await books.pool.query(
    `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
     values ('main', $1, 'assets:trading', 'EUR', $2, 20000, 0, 20000, 'break')`,
    [idOf(nth), startedAt],
  );
};

/** Each break of a period: its age, and whether the page marks it overdue. Its value is 20,000, so it is due in a day. */
const agesIn = async (from: string, to: string) => {
  const { rows } = await books.pool.query(loadSql('page/breaks.sql', { from, to, entity: '' }));
  return Object.fromEntries(
    rows.map(({ break_id, age_days, is_overdue }) => [break_id, [age_days, is_overdue]]),
  );
};

test('a running month is as of the last comparison; a past month, as of its end', async () => {
  const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const;
  expect(await agesIn(...march)).toEqual({
    old: [17, true],
    'settled since': [7, true],
    'of the last night': [0, false],
  });
  await books.pool.query(
    "insert into run.runs (run_id, job, started_at, exit_code) values ($1, 'nightly', '2026-03-25', 2)",
    [idOf(2)],
  ); // read nothing, so it compared nothing
  expect((await agesIn(...march))['of the last night']).toEqual([0, false]);
  await compared(3, '2026-04-20T02:00:00Z');
  const atItsEnd = { old: [31, true], 'settled since': [7, true], 'of the last night': [13, true] };
  expect(await agesIn(...march)).toEqual(atItsEnd);
  await compared(4, '2026-05-20T02:00:00Z');
  expect(await agesIn(...march)).toEqual(atItsEnd);
});

test.each([
  ['2026-03-20T00:00:00Z', '2026-03-20T00:00:00.000Z'],
  ['2027-01-01T00:00:00Z', '2026-05-20T02:00:00.000Z'],
])('breaks_within until %s says that it measured at %s', async (until, measuredAt) => {
  const { rows } = await books.pool.query(
    "select distinct measured_at from books_internal.breaks_within($1::timestamptz, $1, '')",
    [until],
  );
  expect(rows.map(({ measured_at }) => new Date(measured_at).toISOString())).toEqual([measuredAt]);
});
