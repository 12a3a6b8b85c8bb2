// A run: it is stored from its start, stores each finding once, and ends with a code.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeRun, openRun, type Run, report, reportAll } from '../../src/run/job-run.ts';
import { storedNight, storeNight } from '../../src/run/nights.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** The findings of a run, then its notes. */
const findingsOf = ({ id }: Run) =>
  database.db
    .selectFrom('run.findings')
    .select(['entity_id', 'severity', 'subject', 'detail'])
    .where('run_id', '=', id)
    .orderBy('severity')
    .orderBy('finding_id')
    .execute();

const rowOf = async (id: string) =>
  (await database.pool.query('select * from books.runs where run_id = $1', [id])).rows[0];

test('a killed run is listed as not finished', async () => {
  const run = await openRun(database.db, 'nightly');
  expect(await rowOf(run.id)).toMatchObject({
    job: 'nightly',
    started_at: run.startedAt,
    finished_at: null,
    exit_code: null,
  });
});

test('a finished run has its result, its time and a one-line summary', async () => {
  const run = await openRun(database.db, 'nightly');
  await closeRun(database.db, run, {
    exitCode: 1,
    requests: 7,
    pages: 5,
    fewest: 4,
    summary: '1 open break',
  });
  const row = await rowOf(run.id);
  expect(row).toMatchObject({ exit_code: 1, requests: 7, summary: '1 open break' });
  expect(row.finished_at >= row.started_at).toBe(true);
});

test('two runs have ids of their own', async () => {
  const [a, b] = [await openRun(database.db, 'nightly'), await openRun(database.db, 'nightly')];
  expect(a.id).not.toBe(b.id);
});

test('a repeated finding is stored once per run', async () => {
  const found = { entity: 'main', subject: 'movements: gap', detail: 'an instant stays full' };
  const run = await openRun(database.db, 'extract');
  await report(database.db, run, found);
  await report(database.db, run, found);
  await report(database.db, run, { ...found, entity: 'sub-1' });
  expect(await findingsOf(run)).toEqual([
    { entity_id: 'main', severity: 'finding', subject: found.subject, detail: found.detail },
    { entity_id: 'sub-1', severity: 'finding', subject: found.subject, detail: found.detail },
  ]);
  const next = await openRun(database.db, 'extract');
  await report(database.db, next, found);
  expect(await findingsOf(next)).toHaveLength(1);
});

test('a finding that several jobs report at once is stored once', async () => {
  const run = await openRun(database.db, 'nightly');
  const found = { entity: 'main', subject: 'clock', detail: 'it is an hour ahead' };
  const holder = await database.pool.connect();
  await holder.query('begin; lock table run.findings in exclusive mode'); // they are read, and none is stored
  const both = Promise.all([report(database.db, run, found), report(database.db, run, found)]);
  const waiting =
    'select count(*)::int from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())';
  await expect.poll(async () => (await database.pool.query(waiting)).rows).toEqual([{ count: 2 }]);
  await holder.query('commit');
  holder.release();
  await both;
  expect(await findingsOf(run)).toHaveLength(1);
});

test('many findings are stored in their order, each once', async () => {
  const run = await openRun(database.db, 'reconcile');
  const found = Array.from({ length: 6_000 }, (_, nth) => ({
    entity: 'main',
    subject: `record ${nth % 5_500}`,
    detail: 'no longer listed',
  }));
  await report(database.db, run, { entity: 'main', subject: 'record 3', detail: 'no longer listed' });
  await reportAll(database.db, run, found);
  await reportAll(database.db, run, found);
  const { rows } = await database.pool.query(
    'select subject from run.findings where run_id = $1 order by finding_id',
    [run.id],
  );
  const subjects = Array.from({ length: 5_500 }, (_, nth) => `record ${nth}`);
  expect(rows.map(({ subject }) => subject)).toEqual([
    'record 3',
    ...subjects.filter((subject) => subject !== 'record 3'),
  ]);
});

test('findings come before notes, and a note does not hide a finding with the same text', async () => {
  const run = await openRun(database.db, 'extract');
  const finding = { entity: 'main', subject: 'earn-wallets', detail: 'not offered to this entity' };
  await report(database.db, run, { ...finding, severity: 'note' });
  await report(database.db, run, finding);
  expect((await findingsOf(run)).map(({ severity }) => severity)).toEqual(['finding', 'note']);
});

test('a stored night says what it did, so that a worker that takes over a killed one does not do it again', async () => {
  const [first, second] = [await openRun(database.db, 'nightly'), await openRun(database.db, 'nightly')];
  const beganAt = first.startedAt;
  const stored = () =>
    Promise.all([first, second].map(({ id }) => storedNight(database.db, id, 'an entity')));
  expect(await stored()).toEqual([null, null]);
  await storeNight(database.db, first, {
    entity: 'an entity',
    beganAt,
    reason: 'not read before',
    isFull: true,
  });
  await storeNight(database.db, second, { entity: 'an entity', beganAt, reason: null, isFull: false });
  expect(await stored()).toEqual(['read', 'skipped']);
  expect(await storedNight(database.db, first.id, 'another')).toBe(null);
});
