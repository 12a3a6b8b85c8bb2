// The step that writes the files of a night: no worker takes it while the step before still holds the end of the run.
import { expect, onTestFinished, test } from 'vitest';
import { migrateQueue } from '../../jobs/queue.ts';
import type { RunPart } from '../../jobs/run-parts.ts';
import { tasksOf } from '../../jobs/worker-tasks.ts';
import { withSharedRun } from '../../src/run/run.ts';
import { freshDatabase } from '../database.ts';
import { withSharedNight } from './shared-night.ts';

test('the files of a night are queued once its last step has let go of its end', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.close());
  await migrateQueue(database.url, () => {});
  const queued = async (): Promise<number> =>
    (await database.pool.query('select from tieout_queue._private_jobs')).rowCount ?? 0;
  const whileHeld = await withSharedNight(database, { entities: [] }, ({ books, config, run }) =>
    withSharedRun(books, run, async (work) => {
      const seen: number[] = [];
      const claim: RunPart['claim'] = async (_, use) => {
        const result = await use();
        seen.push(await queued());
        return result;
      };
      const reportClocks = async (): Promise<void> => {};
      const part = { session: { work }, claim, reportClocks, newRequests: () => 0 } as unknown as RunPart;
      const parts = { part: async () => part, sweep: async () => {}, close: async () => {} };
      const context = { books, config, parts, filesHost: null, onFinish: async () => {}, lose: () => {} };
      await tasksOf(context).last?.({ run: run.id });
      return seen;
    }),
  );
  expect([whileHeld, await queued()]).toEqual([[0], 1]);
});
