// The jobs of a night whose worker cannot open its share: which failures end the night, and which are tried again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tasksOf } from '../../jobs/worker-tasks.ts';
import { BusyError, FailedError } from '../../src/base/errors.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { withSharedNight } from './shared-night.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** Runs every job of a night at once while no share can be opened: what became of each, the night's row, and the notices. */
const jobsWithout = (failure: Error) =>
  withSharedNight(database, { entities: ['main', 'other'] }, async ({ books, config, run }) => {
    const ends: number[] = [];
    const parts = { part: () => Promise.reject(failure), sweep: async () => {}, close: async () => {} };
    const onFinish = async (_: unknown, { exitCode }: { exitCode: number }) => void ends.push(exitCode);
    const tasks = tasksOf({ books, config, parts, filesHost: null, onFinish, lose: () => {} });
    const jobs = ['main', 'other'].map((id) => tasks.entity?.({ run: run.id, id }));
    const settled = await Promise.allSettled([...jobs, tasks.last?.({ run: run.id })]);
    const { rows } = await database.pool.query('select exit_code, summary from run.runs where run_id = $1', [
      run.id,
    ]);
    return { results: settled.map(({ status }) => status), row: rows[0], ends };
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
