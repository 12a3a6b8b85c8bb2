// Workers that meet a failure of their own: none of it is booked to an entity, and no night is left to nobody.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { migrateQueue, readSchedule, startQueue } from '../../jobs/queue.ts';
import { DAY_MS } from '../../src/base/time.ts';
import { complaint } from '../cli/tieout.ts';
import { freshDatabase } from '../database.ts';
import { FIRST, OVER, program, until } from './programs.ts';
import { openStage, type Stage } from './stage.ts';

const TASKS = "to_regclass('run.tasks') is not null";

/** Ends the session in which a worker looks after the jobs, while it waits for a table that `holding` has locked. */
const endLook = async (stage: Stage): Promise<number> => {
  const holding = await stage.database.pool.connect();
  try {
    await holding.query('begin; lock table run.workers in access exclusive mode');
    for (;;) {
      const ended = await stage.rows(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%from run.workers where pg_try%' and wait_event_type = 'Lock'
          and pid <> pg_backend_pid()`);
      if (ended.length > 0) return ended.length;
      await pause(20);
    }
  } finally {
    await holding.query('rollback');
    holding.release();
  }
};

test('a worker that loses one connection while it looks after the jobs goes on, and no entity has failed', async () => {
  const stage = await openStage({ entities: 4, days: 4, faults: ['slow:200'] });
  const worker = program(stage, ['worker', '--now', '--no-files', '--jobs', '2']);
  await until(stage, TASKS);
  await until(stage, 'exists (select from run.tasks)');
  expect(await endLook(stage)).toBeGreaterThan(0);
  await until(stage, OVER);
  worker.kill('SIGTERM');
  expect((await worker).exitCode).toBe(0);
  expect(await stage.rows('select distinct result from run.tasks')).toEqual([{ result: 'read' }]);
  expect(await stage.rows('select exit_code from books.runs')).toEqual([{ exit_code: 0 }]);
});

test('a worker with other settings than the books is refused, and its nights are left to others', async () => {
  const stage = await openStage({ entities: 3, days: 4, faults: ['slow:50'] });
  const first = program(stage, ['worker', '--now', '--no-files', '--jobs', '1']);
  await until(stage, TASKS);
  await until(stage, FIRST);
  const other = await program(stage, ['worker', '--jobs', '1'], { TIEOUT_TIMEZONE: 'Europe/Madrid' });
  expect(other.exitCode).toBe(64);
  expect(complaint({ exitCode: other.exitCode, stdout: '', stderr: `${other.stderr}` })).toEqual([
    expect.stringMatching(
      /^tieout: TIEOUT_TIMEZONE is Europe\/Madrid, but the books of \S+ use UTC: set TIEOUT_TIMEZONE=UTC$/,
    ),
  ]);
  await until(stage, OVER);
  first.kill('SIGTERM');
  await first;
  expect(await stage.rows('select exit_code from books.runs')).toEqual([{ exit_code: 0 }]);
});

/** A night of two entities by one worker with these faults: its run, what failed in it, and what was requested. */
const nightOfTwo = async (faults: readonly string[]) => {
  const stage = await openStage({ entities: 2, days: 2, faults: [...faults] });
  const worker = program(stage, ['worker', '--now', '--no-files', '--jobs', '1']);
  await until(stage, TASKS);
  await until(stage, OVER);
  worker.kill('SIGTERM');
  await worker;
  const [run] = await stage.rows('select exit_code, summary from books.runs');
  const failed = await stage.rows("select entity_id from books.findings where subject = 'failed' order by 1");
  return { run, failed, targets: (await stage.log()).map(({ target }) => target) };
};

test('a 418 ends a shared night with 2: on the market data too, which no entity reads, and then of no entity that was read', async () => {
  const { targets } = await nightOfTwo([]);
  const isMarket = (target: string) => /asset|currency/.test(target);
  expect(targets.slice(-2).every(isMarket)).toBe(true);
  const banned = { exit_code: 2, summary: expect.stringContaining('banned') };
  const onMarket = await nightOfTwo([`ban:${targets.length - 1}`]);
  expect(onMarket.run).toMatchObject(banned);
  const lastOfEntity = targets.findLastIndex((target) => !isMarket(target)) + 1;
  const onEntity = await nightOfTwo([`ban:${lastOfEntity}`]);
  expect(onEntity.run).toMatchObject(banned);
  expect(onEntity.failed).toHaveLength(1);
}, 120_000);

test('a worker whose clock is set back ends within a minute, since its queue would wait for the old time', async () => {
  const books = await freshDatabase();
  await migrateQueue(books.url, () => {});
  const schedule = readSchedule('30 2 * * * night', 'crontab');
  const tasks = { night: async () => {} };
  const queue = await startQueue(
    { url: books.url, tasks, schedule, jobsMax: 1, tell: () => {} },
    async () => {},
  );
  await pause(3_000); // its schedule waits for the next minute
  const clock = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => clock() - DAY_MS);
  await expect(queue.done).rejects.toThrow('the clock of this host was set back: start it again');
  vi.restoreAllMocks();
  await queue.stop();
  await books.close();
}, 90_000);

test('a clock that is ahead does not put off a night that waits', () => {
  const [item] = readSchedule('30 2 * * * night', 'crontab');
  expect(item?.options).toMatchObject({ jobKey: 'night', jobKeyMode: 'preserve_run_at' });
});

test('a worker that is notified of another form of the queue ends with 2, and says why', async () => {
  const stage = await openStage({ entities: 1, days: 1 });
  const worker = program(stage, ['worker', '--no-files', '--jobs', '1']);
  const listens = `exists (
    select from pg_stat_activity where datname = current_database() and query like 'LISTEN "jobs:insert"%'
  )`;
  await until(stage, listens);
  await stage.rows(`select pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 99}')`);
  const { exitCode, stderr } = await worker;
  expect(exitCode).toBe(2);
  expect(complaint({ exitCode, stdout: '', stderr: `${stderr}` }).at(-1)).toEqual(
    expect.stringMatching(/^tieout: the worker stopped because .* migrated the job queue: start it again/),
  );
});
