// Work ahead in nights that several processes share: only the process that has the last entities works ahead, and the files are
// those of the books at the end.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extractOnly, normalizeOnly } from '../../jobs/nightly.ts';
import { noPricesRead } from '../../jobs/rates.ts';
import { withGateway } from '../../jobs/run-gateway.ts';
import { gatewayLimits } from '../../jobs/session.ts';
import { type SharedAhead, sharedAhead } from '../../jobs/shared-ahead.ts';
import type { Event } from '../../src/run/events.ts';
import { endTask, openSharedRun, storeTasks, withBooks, withSharedRun } from '../../src/run/run.ts';
import { type Work, withRun } from '../../src/run/work.ts';
import { filesIn } from '../export/world.ts';
import { OVER, program, until } from './programs.ts';
import { openStage, type Stage } from './stage.ts';

const READ = { result: 'read', failure: null, requests: 0 } as const;

/** A share of a night of two entities whose records are booked and not valued; `events` are those of the work ahead. */
const inShare = async (
  { settings }: Stage,
  use: (share: { ahead: SharedAhead; work: Work; events: string[] }) => Promise<void>,
): Promise<void> => {
  const config = settings();
  const quiet = { tell: () => {} };
  await withRun(config, 'extract', {
    ...quiet,
    work: (work) => extractOnly(work, config, { isFull: false }),
  });
  const events: string[] = [];
  const tell = ({ event }: Event) => void events.push(event);
  await withBooks(config, async (database, url, enter) => {
    const books = { config, database, url, enter, tell };
    const run = await openSharedRun(books, 'nightly');
    await withSharedRun(books, run, async (work) => {
      await normalizeOnly({ ...work, ...quiet }, {});
      await storeTasks(work.db, run.id, ['main', 'other'], async () => {});
      await withGateway(work, gatewayLimits(config, {}), async (gateway) => {
        const options = { isFull: false, versionsMin: 1 };
        const session = { work, config, gateway, options, prices: noPricesRead() };
        await use({ ahead: sharedAhead(session, null), work, events });
      });
    });
  });
};

test('nobody works ahead before the entities of others have ended', async () => {
  await inShare(await openStage(), async ({ ahead, work, events }) => {
    await ahead.visit('main', async () => {
      ahead.note('main', { entries: 1, reading: 'nothing' });
      ahead.begin();
      await ahead.settled();
      expect(events).not.toContain('compared across');
      await endTask(work.db, work.run.id, { entity: 'other', ...READ }, async () => {});
      ahead.begin();
      await ahead.settled();
    });
    expect(events).toEqual(expect.arrayContaining(['compared across', 'valued']));
    expect(events).not.toContain('drafted'); // this host writes no files
  });
});

test('an entity is here until its task has ended, and the work ahead with it', async () => {
  await inShare(await openStage(), async ({ ahead, work, events }) => {
    let read = (): void => {};
    const reading = new Promise<void>((done) => {
      read = done;
    });
    const other = ahead.visit('other', async () => {
      ahead.note('other', { entries: 1, reading: 'nothing' });
      await ahead.settled();
      await reading; // its task has not ended
      await endTask(work.db, work.run.id, { entity: 'other', ...READ }, async () => {});
    });
    await ahead.visit('main', async () => {
      ahead.note('main', { entries: 1, reading: 'nothing' });
      ahead.begin();
      await ahead.settled();
    });
    expect(events).toContain('valued');
    read();
    await other;
  });
});

test('an entity that is read again after a failure counts as begun', async () => {
  await inShare(await openStage(), async ({ ahead, work, events }) => {
    await endTask(work.db, work.run.id, { entity: 'other', ...READ }, async () => {});
    const failed = ahead.visit('main', async () => {
      ahead.note('main', { entries: 1, reading: 'nothing' });
      throw new Error('the connection was lost');
    });
    await expect(failed).rejects.toThrow('the connection was lost');
    await ahead.visit('main', async () => ahead.begin());
    expect(events).not.toContain('compared across');
  });
});

test('a worker values and drafts while it reads, and completes the files at the end of the night', async () => {
  const stage = await openStage({ days: 20, perDay: 250, until: '2026-11-10T00:00:00Z' });
  const worker = program(stage, ['worker', '--now', '--jobs', '2']);
  await until(stage, "to_regclass('run.runs') is not null");
  await until(stage, OVER);
  worker.kill('SIGTERM');
  const { stderr, exitCode } = await worker;
  expect(exitCode).toBe(0);
  const events = `${stderr}`.split('\n').map((line): Event => JSON.parse(line));
  const eventsNamed = (name: string) => events.filter(({ event }) => event === name);
  const across = events.findLastIndex(({ event }) => event === 'compared across'); // where the end of the night begins
  const began = events.findIndex(({ event }) => event === 'drafted');
  expect(began).toBeGreaterThan(0);
  expect(began).toBeLessThan(across);
  const months = readdirSync(join(stage.home, 'exports'));
  expect(eventsNamed('exported').length).toBe(months.length);
  const valued = eventsNamed('valued').filter(({ from, taxpayer }) => from !== null && taxpayer === 'main');
  expect(valued.map(({ from }) => from)).toEqual([...new Set(valued.map(({ from }) => from))]); // each month once
  const charts = eventsNamed('chart').map(({ ticker }) => ticker);
  expect(new Set(charts).size).toBe(charts.length);
  for (const month of months) {
    const forced = join(stage.home, 'forced', month);
    await program(stage, ['export', '--period', month, '--out', forced]);
    expect(filesIn(join(stage.home, 'exports', month))).toEqual(filesIn(forced));
  }
});
