// What a night found for each entity, and whose nights are late.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lateNights, verdictsOf } from '../../src/run/run.ts';
import { empty, freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
const RUNS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

/** Two nights: three days ago and an hour ago. */
beforeAll(async () => {
  books = await freshDatabase();
});
beforeEach(async () => {
  await empty(books);
  await books.pool.query(
    `insert into run.entities (entity_id, name, subaccount_id, first_seen_at)
     select id, id, nullif(id, 'main'), '2026-03-01' from unnest(array['main', 'a', 'b', 'c']) id`,
  );
  await books.pool.query(
    `insert into run.runs (run_id, job, started_at, finished_at, exit_code, summary) values
      ('${RUNS[0]}', 'nightly', now() - interval '72 hours', now() - interval '71 hours', 0, ''),
      ('${RUNS[1]}', 'nightly', now() - interval '1 hour', now(), 2, '1 entry booked; failed: b: why')`,
  );
  await books.pool.query(
    `insert into run.nights (entity_id, run_id, began_at, lists_run_id, reason)
     select id, run::uuid, case run when '${RUNS[0]}' then now() - interval '72 hours' else now() end, '${RUNS[0]}'::uuid,
       case run when '${RUNS[0]}' then 'not read before' end
     from unnest(array['main', 'a', 'b', 'c']) id, unnest(array['${RUNS[0]}', '${RUNS[1]}']) run
     where run = '${RUNS[0]}' or id in ('main', 'a')`,
  );
});
afterAll(() => books.close());

const find = (entity: string, subject: string) =>
  books.pool.query(
    "insert into run.findings (entity_id, run_id, severity, subject, detail) values ($1, $2, 'finding', $3, 'why')",
    [entity, RUNS[1], subject],
  );

test('failed, findings, skipped, clean', async () => {
  await find('b', 'failed');
  await find('a', 'clock');
  await books.pool.query(
    `insert into land.coverage (entity_id, stream, scope, covered) values
      ('main', 'movements', '', '{(,2026-01-02),[2026-01-03,2026-01-04)}')`,
  );
  const verdicts = async (run: string) =>
    (await verdictsOf(books.db, run)).map((one) => [one.entity_id, one.verdict, one.gaps, one.findings]);
  expect(await verdicts(RUNS[1])).toEqual([
    ['a', 'findings', 0, 1],
    ['b', 'failed', 0, 1],
    ['main', 'findings', 1, 0],
  ]);
  await books.pool.query('delete from land.coverage');
  expect((await verdictsOf(books.db, RUNS[1])).at(-1)).toEqual({
    entity_id: 'main',
    verdict: 'skipped',
    breaks: 0,
    gaps: 0,
    rejects: 0,
    findings: 0,
    watermark: null,
  });
  await books.pool.query(
    `insert into land.coverage (entity_id, stream, scope, covered) values ('main', 'movements', '', '{[-infinity,2026-01-02)}'),
      ('main', 'wallet-transactions', '', '{[-infinity,2026-01-01)}')`,
  );
  const watermark = async () => (await verdictsOf(books.db, RUNS[1])).at(-1)?.watermark;
  expect(await watermark()).toBe(null); // no list of trades was begun
  await books.pool.query(
    "insert into land.coverage (entity_id, stream, scope, covered) values ('main', 'trades', '', '{[2025-12-01,2026-01-03)}')",
  );
  expect(await watermark()).toBe(null); // nothing proves the trades before
  await books.pool.query(
    "update land.coverage set covered = '{[-infinity,2026-01-03)}' where stream = 'trades'",
  );
  expect(await watermark()).toBe('2026-01-01T00:00:00.000Z');
  expect((await verdicts(RUNS[0])).map(([, verdict]) => verdict)).toEqual([
    'clean',
    'clean',
    'clean',
    'clean',
  ]);
});

test('a night is late for the entities that it did not finish with, unless the gateway no longer lists them', async () => {
  const late = async (entity?: string) =>
    (await lateNights(books.db, { maxAgeSeconds: 93_600, entity })).map((one) => one.entity_id);
  expect(await late()).toEqual(['b', 'c']);
  expect(await late('main')).toEqual([]);
  expect((await lateNights(books.db, { maxAgeSeconds: 93_600, entity: 'c' }))[0]).toMatchObject({
    age_seconds: expect.toSatisfy((age: number) => Math.abs(age - 72 * 3_600) < 60),
  });
  await books.pool.query(
    `insert into run.listings (entity_id, run_id, listed_at, subaccounts) values ('main', '${RUNS[1]}', now(), array['a', 'b'])`,
  );
  expect(await late()).toEqual(['b']);
  await books.pool.query(
    `update run.runs set finished_at = null, exit_code = null where run_id = '${RUNS[1]}'`,
  );
  expect(await late()).toEqual(['a', 'b', 'main']);
});

test('a night is as old as what it read, however long its run took, in the list of those that are late as in the metrics', async () => {
  const ageOf = async (maxAgeHours: number) =>
    (await lateNights(books.db, { maxAgeSeconds: maxAgeHours * 3_600, entity: 'main' })).map(
      (night) => night.age_seconds,
    );
  await books.pool.query(
    `update run.runs set started_at = now() - interval '30 hours' where run_id = '${RUNS[1]}';
     update run.nights set began_at = now() - interval '20 hours' where run_id = '${RUNS[1]}'`,
  );
  expect(await ageOf(26)).toEqual([]);
  expect(await ageOf(19)).toEqual([expect.closeTo(20 * 3_600, -2)]);
  await books.pool.query(
    `update run.nights set began_at = now() + interval '1 hour' where run_id = '${RUNS[1]}'`,
  );
  expect(await ageOf(26)).toEqual([expect.closeTo(-3_600, -2)]); // the clock was set back since
});
