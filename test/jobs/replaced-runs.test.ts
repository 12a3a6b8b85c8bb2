// The shares of runs that a worker has open: closed once their run is over, without waiting for what is still at work in them.
import { expect, onTestFinished, test } from 'vitest';
import { runParts } from '../../jobs/run-parts.ts';
import type { Event } from '../../src/run/events.ts';
import { openRun } from '../../src/run/job-run.ts';
import type { OpenBooks } from '../../src/run/run.ts';
import { markFailed, openSharedRun } from '../../src/run/run.ts';
import { openStage } from './stage.ts';

/** A share of a run, and all that this process has open. */
const openPart = async () => {
  const { database, settings } = await openStage();
  const config = settings();
  const refuse = () => Promise.reject(new Error('as the owner alone'));
  const ends: Event[] = [];
  const tell = (event: Event) => void (event.event === 'run ended' && ends.push(event));
  const books: OpenBooks = { config, database, url: database.url, enter: refuse, tell };
  const parts = runParts(books, config, null);
  onTestFinished(parts.close);
  const run = await openSharedRun(books, 'nightly');
  return { database, parts, run, ends, part: await parts.part(run.id) };
};

test('a run that a later one replaced has an end in the log, once, although its row has none', async () => {
  const { database, parts, run, ends } = await openPart();
  await parts.sweep();
  expect(ends).toEqual([]);
  await openRun(database.db, 'nightly');
  await parts.sweep();
  expect(await Promise.all([parts.part(run.id), parts.part(run.id)])).toEqual([null, null]);
  expect(ends).toEqual([
    {
      event: 'run ended',
      run: run.id,
      exit_code: 2,
      requests: 0,
      summary:
        'failed: a later run has taken over these books: this run stopped and rolled back its unfinished work',
    },
  ]);
});

test('a run that ended is not said to be replaced, whatever followed it', async () => {
  const { database, parts, run, ends } = await openPart();
  await markFailed(database.url, run, { exitCode: 2, requests: 0, summary: 'failed: no answer' });
  await openRun(database.db, 'nightly');
  await parts.sweep();
  expect([await parts.part(run.id), ends]).toEqual([null, []]);
});

test('a job that is long in a run that was replaced delays neither the look at the others nor its own end', async () => {
  const { database, parts, run, part } = await openPart();
  const ended: string[] = [];
  let finish = () => {};
  let job: Promise<unknown> | undefined;
  await new Promise<void>((begun) => {
    const work = () => {
      begun();
      return new Promise<void>((done) => (finish = done));
    };
    job = part?.claim('main', work).then(() => ended.push('job'));
  });
  await openRun(database.db, 'nightly');
  await parts.sweep();
  expect(await parts.part(run.id)).toBeNull();
  const closed = parts.close().then(() => ended.push('share'));
  finish();
  await Promise.all([job, closed]);
  expect(ended).toEqual(['job', 'share']);
});

test('a share that closes waits for the job that is claiming its entity', async () => {
  const { parts, part } = await openPart();
  const ended: string[] = [];
  const job = part?.claim('main', async () => void ended.push('job'));
  await parts.close();
  ended.push('share');
  await job;
  expect(ended).toEqual(['job', 'share']);
});
