// The jobs of a night whose worker cannot open its share: which failures end the night, and which are tried again.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrateQueue } from '../../jobs/queue.ts';
import type { OnFinish } from '../../jobs/run-end.ts';
import { tasksOf } from '../../jobs/worker-tasks.ts';
import { BusyError, FailedError, InterruptedError } from '../../src/base/errors.ts';
import { HOUR_MS, msOf } from '../../src/base/time.ts';
import { inSession, lockBooks } from '../../src/database/database.ts';
import { markOf, readSchemaFiles, writeMarks } from '../../src/database/schema.ts';
import type { Event } from '../../src/run/events.ts';
import { BooksMigrated, stateOf, withSharedRun } from '../../src/run/run.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { withSharedNight } from './shared-night.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await migrateQueue(database.url, () => {});
});
afterAll(() => database.close());

test('a night that meets another run looks again within a minute, however long it has waited', async () => {
  const { rows } = await withSharedNight(database, { entities: [] }, async ({ books, config, run }) => {
    const parts = { part: async () => null, sweep: async () => {}, close: async () => {} };
    const events: string[] = [];
    const tell = ({ event }: Event) => void events.push(event);
    const context = { config, parts, filesHost: null, onFinish: async () => {}, lose: () => {} };
    const tasks = tasksOf({ ...context, books: { ...books, tell } });
    const other = await lockBooks(books.url, 'nightly');
    await Promise.all([tasks.night?.({ full: true }), tasks.night?.({ full: true, waits: true })]);
    await other.release();
    expect(events).toEqual(['night waits']);
    expect(await stateOf(books.database.db, run.id)).toBe('open');
    return database.pool.query(`
      select t.identifier as task, j.key, j.payload, j.run_at < now() + interval '1 minute' as is_soon
      from tieout_queue._private_jobs j join tieout_queue._private_tasks t on t.id = j.task_id`);
  });
  const payload = JSON.stringify({ full: true, waits: true });
  expect(rows).toEqual([{ task: 'night', key: 'night', payload, is_soon: true }]);
});

/** Runs every job of a night at once while no share can be opened: what became of each, the night's row, and the notices. */
const jobsWithout = (failure: Error) =>
  withSharedNight(database, { entities: ['main', 'other'] }, async ({ books, config, run }) => {
    const ends: number[] = [];
    const durations: unknown[] = [];
    const tell = ({ event, duration_ms: durationMs }: Event) =>
      void (event === 'run ended' && durations.push(durationMs));
    const parts = { part: () => Promise.reject(failure), sweep: async () => {}, close: async () => {} };
    const notices: { startedAt: string; finishedAt: string }[] = [];
    const onFinish: OnFinish = async (ended, { exitCode }) => {
      ends.push(exitCode);
      notices.push(ended);
    };
    const context = { config, parts, filesHost: null, onFinish, lose: () => {} };
    const tasks = tasksOf({ ...context, books: { ...books, tell } });
    const jobs = ['main', 'other'].map((id) => tasks.entity?.({ run: run.id, id }));
    const settled = await Promise.allSettled([...jobs, tasks.last?.({ run: run.id })]);
    const { rows } = await database.pool.query('select exit_code, summary from run.runs where run_id = $1', [
      run.id,
    ]);
    return { results: settled.map(({ status }) => status), row: rows[0], ends, durations, notices };
  });

test('a request gate that is gone ends the night once, with its sentence, and no job is tried again', async () => {
  const { results, row, ends } = await jobsWithout(new FailedError('the request gate is gone'));
  expect(row).toEqual({ exit_code: 2, summary: 'failed: the request gate is gone' });
  expect(results).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(ends).toEqual([2]);
});

test.each([
  ['another run that is writing the books', new BusyError('another run is writing these books')],
  ['a lost connection to the books', Object.assign(new Error('lost'), { code: 'ECONNRESET' })],
])('%s is waited for', async (_, failure) => {
  const { results, row, ends } = await jobsWithout(failure);
  expect(row).toEqual({ exit_code: null, summary: null });
  expect(results).toEqual(['rejected', 'rejected', 'rejected']);
  expect(ends).toEqual([]);
});

test('a run takes as long as it does by the clock of the database, whatever that of the host that ends it', async () => {
  const clock = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => clock() - HOUR_MS);
  const { durations, notices } = await jobsWithout(new FailedError('the request gate is gone')).finally(() =>
    vi.restoreAllMocks(),
  );
  const isShort = expect.toSatisfy((ms: number) => ms >= 0 && ms < HOUR_MS);
  expect(durations).toEqual([isShort]);
  expect(notices.map(({ startedAt, finishedAt }) => msOf(finishedAt) - msOf(startedAt))).toEqual([isShort]);
});

test('a night that a signal stops before its tasks are stored ends as interrupted, whatever the signal caused', async () => {
  const stopped = await withSharedNight(database, { entities: [] }, async ({ books, config }) => {
    const signal = AbortSignal.abort(new InterruptedError('SIGTERM'));
    const failure = new FailedError('subaccounts: the request was aborted');
    const parts = { part: () => Promise.reject(failure), sweep: async () => {}, close: async () => {} };
    const ends: Parameters<OnFinish>[1][] = [];
    const onFinish: OnFinish = async (_, end) => void ends.push(end);
    const context = {
      books,
      config: { ...config, signal },
      parts,
      filesHost: null,
      onFinish,
      lose: () => {},
    };
    await expect(tasksOf(context).night?.({})).rejects.toBe(failure); // so that it begins anew
    return ends;
  });
  expect(stopped).toEqual([
    { exitCode: 143, requests: 0, summary: expect.stringMatching(/^interrupted by SIGTERM/) },
  ]);
});

test('a worker whose books another version has migrated ends, and leaves the night to workers of that version', async () => {
  const { booksId = '' } = (await markOf(database.db)) ?? {};
  const shipped = await readSchemaFiles();
  const lost: unknown[] = [];
  await withSharedNight(database, { entities: ['main'] }, async ({ books, config, run }) => {
    const stopped = new AbortController();
    const lose = (reason?: Error) => {
      lost.push(reason);
      stopped.abort(reason);
    };
    const part = () => withSharedRun(books, run, async () => null);
    const parts = { part, sweep: async () => {}, close: async () => {} };
    const context = {
      books,
      config: { ...config, signal: stopped.signal },
      parts,
      filesHost: null,
      onFinish: async () => {},
      lose,
    };
    const tasks = tasksOf(context);
    await marked(booksId, 'f'.repeat(64));
    const jobs = [
      tasks.entity?.({ run: run.id, id: 'main' }),
      tasks.last?.({ run: run.id }),
      tasks.night?.({}),
    ];
    const settled = await Promise.allSettled(jobs);
    await marked(booksId, shipped.digest);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await stateOf(books.database.db, run.id)).toBe('open');
  });
  expect(lost).toEqual(Array(3).fill(expect.any(BooksMigrated)));
});

/** The books as another version leaves them. */
const marked = (booksId: string, digest: string): Promise<void> =>
  inSession(database.url, 'test', (session) => writeMarks(session, booksId, digest));
