// A run counts every request that was sent for it, whatever became of the request or of the run.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runParts } from '../../jobs/run-parts.ts';
import { tasksOf } from '../../jobs/worker-tasks.ts';
import { InterruptedError } from '../../src/base/errors.ts';
import { STREAM_NAMES } from '../../src/base/streams.ts';
import { withBooks } from '../../src/run/run.ts';
import { night, openStage, type Stage } from './stage.ts';

const counted = async (stage: Stage) => {
  const [run] = await stage.rows('select exit_code, requests from books.runs');
  return { exitCode: run?.exit_code, missing: (await stage.log()).length - Number(run?.requests) };
};

test.each([
  ['a ban of its first request', 'ban:1', 2],
  ['connections that are closed instead of an answer', 'reset:20', 0],
] as const)('%s', async (_, fault, exitCode) => {
  const stage = await openStage({ entities: 1, days: 1, faults: [fault] });
  await stage.night().catch(() => {});
  expect(await counted(stage)).toEqual({ exitCode, missing: 0 });
});

test('a night of workers that fails before its entities are queued', async () => {
  const stage = await openStage({ entities: 1, days: 1, faults: ['ban:2'] });
  const config = stage.settings();
  await withBooks(config, async (database, url, enter) => {
    const books = { config, database, url, enter, tell: () => {} };
    const parts = runParts(books, config, null);
    const rest = { parts, filesHost: null, onFinish: async () => {}, lose: () => {} };
    await tasksOf({ books, config, ...rest }).night?.({});
    await parts.close();
  });
  expect(await counted(stage)).toEqual({ exitCode: 2, missing: 0 });
});

test('a run that a signal stops has read the pages that it landed', async () => {
  const stage = await openStage({ entities: 1, days: 4, faults: ['slow:20'] });
  const stop = new AbortController();
  const stopped = night({ ...stage.settings(), signal: stop.signal }, { writesFiles: false });
  const ofMoney = `stream = any('{${STREAM_NAMES}}')`; // a run counts no page of the lists that only explain
  const landed = async () => (await stage.rows(`select from land.pages where ${ofMoney}`)).length;
  const isStopped = expect(stopped).rejects.toThrow(InterruptedError);
  while ((await landed()) < 3) await pause(5);
  stop.abort(new InterruptedError('SIGTERM'));
  await isStopped;
  const [run] = await stage.rows('select exit_code, pages, pages_fewest from books.runs');
  const lists = await stage.rows(`select distinct entity_id, stream, scope from land.pages where ${ofMoney}`);
  expect(run).toEqual({ exit_code: 143, pages: await landed(), pages_fewest: expect.any(Number) });
  expect(run?.pages_fewest).toBeGreaterThanOrEqual(lists.length);
});

test('a run whose time is over ends after the pages that are landing', async () => {
  const stage = await openStage({ entities: 1, days: 2 });
  const session = await stage.database.pool.connect();
  await session.query('begin; lock table land.records in share mode');
  const over = expect(night(stage.settings(), { writesFiles: false, deadlineMs: 1_500 })).rejects.toThrow(
    'has not finished',
  );
  const waiting = "select 1 from pg_locks where relation = 'land.records'::regclass and not granted";
  while ((await stage.rows(waiting)).length === 0) await pause(5);
  await pause(2_000);
  expect(await stage.rows('select exit_code from books.runs')).toEqual([{ exit_code: null }]);
  await session.query('rollback');
  session.release();
  await over;
  expect(await stage.rows('select exit_code from books.runs')).toEqual([{ exit_code: 2 }]);
});
