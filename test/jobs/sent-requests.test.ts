// A run counts every request that was sent for it, whatever became of the request or of the run.
import { expect, test } from 'vitest';
import { runParts } from '../../jobs/run-parts.ts';
import { tasksOf } from '../../jobs/worker-tasks.ts';
import { withBooks } from '../../src/run/run.ts';
import { openStage, type Stage } from './stage.ts';

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
