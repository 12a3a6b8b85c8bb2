// Whose clean nights are awaited: by the probe, by the metrics, and by the clock of the database.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { checkNights } from '../../src/cli/status-check.ts';
import { listedCleanNights, readMetrics } from '../../src/monitor/monitor.ts';
import { empty, freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
const RUN = '00000000-0000-4000-8000-000000000001';

/** A clean night an hour ago of all but c, which was listed and never read to its end; the gateway no longer lists b. */
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
    `insert into run.runs (run_id, job, started_at, finished_at, exit_code)
     values ('${RUN}', 'nightly', now() - interval '1 hour', now(), 0)`,
  );
  await books.pool.query(
    `insert into run.nights (entity_id, run_id, began_at, lists_run_id, reason)
     select id, '${RUN}', now() - interval '1 hour', '${RUN}', 'full' from unnest(array['main', 'a', 'b']) id`,
  );
  await books.pool.query(
    `insert into run.verdicts (entity_id, run_id, verdict) select id, '${RUN}', 'clean' from unnest(array['main', 'a', 'b']) id`,
  );
  await books.pool.query(
    `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
     select id, '${RUN}', 'assets:trading', 'EUR', now(), 1, 1, 0, 'tied' from unnest(array['main', 'a', 'b']) id`,
  );
  await books.pool.query(
    `insert into run.listings (entity_id, run_id, listed_at, subaccounts)
     values ('main', '${RUN}', now() - interval '1 day', array['a', 'b']), ('main', '${RUN}', now(), array['a', 'c'])`,
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => books.close());

const check = async (maxAge: string, isClean: boolean) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const exitCode = await checkNights(books, { maxAge, clean: isClean, json: true });
  const { late } = JSON.parse(String(write.mock.lastCall?.[0]));
  write.mockRestore();
  return [exitCode, late.map(({ entity_id: id }: { entity_id: string }) => id)];
};

test('the entities that are listed, with the ages of their clean nights', async () => {
  const age = expect.toSatisfy((seconds: number) => Math.abs(seconds - 3_600) < 60);
  expect(await listedCleanNights(books.db)).toEqual([
    { entity_id: 'a', began_at: expect.any(String), age_seconds: age },
    { entity_id: 'c', began_at: null, age_seconds: null },
    { entity_id: 'main', began_at: expect.any(String), age_seconds: age },
  ]);
  await books.pool.query('delete from run.listings');
  expect((await listedCleanNights(books.db)).map(({ entity_id: id }) => id)).toEqual(['a', 'b', 'c', 'main']);
});

test.each([false, true])(
  'a probe with --clean=%s: who counts, whatever the clock of this host',
  async (isClean) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 });
    expect(await check('2h', isClean)).toEqual([1, ['c']]);
    expect(await check('30m', isClean)).toEqual([1, ['c', 'a', 'main']]);
    await books.pool.query("delete from run.entities where entity_id = 'c'");
    expect(await check('2h', isClean)).toEqual([0, []]);
  },
);

test('the alert of a late night: for an entity that never had one, and not for one that is no longer listed', async () => {
  const text = await readMetrics(books.db);
  const late = (metric: string) =>
    [...text.matchAll(new RegExp(`^${metric}\\{entity="(\\w+)",books=".*"\\} (.*)$`, 'gm'))].map(
      ([, entity, seconds]) => [entity, Date.now() / 1_000 - Number(seconds) > 26 * 3_600],
    );
  for (const metric of ['tieout_finished_night_timestamp_seconds', 'tieout_clean_night_timestamp_seconds'])
    expect(late(metric)).toEqual([
      ['a', false],
      ['c', true],
      ['main', false],
    ]);
});

/** A later night of main, an hour ago, and how its run ended; the one before it is two days old. */
const endedWith = async (exitCode: number | null, summary: string | null): Promise<void> => {
  await books.pool.query(`update run.runs set started_at = started_at - interval '2 days'`);
  await books.pool.query(`update run.nights set began_at = began_at - interval '2 days'`);
  const run = '00000000-0000-4000-8000-000000000002';
  await books.pool.query(
    `insert into run.runs (run_id, job, started_at, finished_at, exit_code, summary)
     values ($1, 'nightly', now() - interval '1 hour', case when $2::int is not null then now() end, $2, $3)`,
    [run, exitCode, summary],
  );
  await books.pool.query(
    `insert into run.nights (entity_id, run_id, began_at, lists_run_id, reason)
     values ('main', $1, now() - interval '1 hour', $1, 'full')`,
    [run],
  );
};

test.each([
  ['ended with findings', 1, '3 entries booked', true],
  ['failed for another entity', 2, '0 entries booked; failed: a: blocked', true],
  ['failed as a whole, after the reading', 2, 'failed: the disk is full', false],
  ['was stopped by a signal', 143, 'interrupted by SIGTERM', false],
  ['is at work, or was killed', null, null, false],
])('a night whose run %s: exit %s, and whether it is finished', async (_, exitCode, summary, isFinished) => {
  await endedWith(exitCode, summary);
  const [, late] = await check('26h', false);
  expect(!late.includes('main')).toBe(isFinished);
  const [, seconds] =
    /^tieout_finished_night_timestamp_seconds\{entity="main".*\} (.*)$/m.exec(await readMetrics(books.db)) ??
    [];
  expect(Date.now() / 1_000 - Number(seconds) < 26 * 3_600).toBe(isFinished);
});

/** What the probes and the alerts of late nights say of main. */
const isLate = async () => {
  const text = await readMetrics(books.db);
  const alerts = ['finished', 'clean'].map((night) => {
    const metric = new RegExp(`^tieout_${night}_night_timestamp_seconds\\{entity="main".*\\} (.*)$`, 'm');
    return Date.now() / 1_000 - Number(metric.exec(text)?.[1]) > 26 * 3_600;
  });
  const probes = [await check('26h', false), await check('26h', true)].map(([, late]) =>
    late.includes('main'),
  );
  return [...alerts, ...probes];
};

test('a night from before the clock of the database was set back silences nobody, and the next one counts', async () => {
  await books.pool.query("update run.runs set started_at = started_at + interval '1 year'");
  await books.pool.query("update run.nights set began_at = began_at + interval '1 year'");
  expect(await isLate()).toEqual([true, true, true, true]);
  const run = '00000000-0000-4000-8000-000000000003';
  await books.pool.query(
    `insert into run.runs (run_id, job, started_at, finished_at, exit_code) values ('${run}', 'nightly', now() - interval '1 hour', now(), 0)`,
  );
  await books.pool.query(
    `insert into run.nights (entity_id, run_id, began_at, lists_run_id, reason) values ('main', '${run}', now() - interval '1 hour', '${run}', 'full')`,
  );
  await books.pool.query(
    `insert into run.verdicts (entity_id, run_id, verdict) values ('main', '${run}', 'clean')`,
  );
  await books.pool.query(
    `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
     values ('main', '${run}', 'assets:trading', 'EUR', now(), 1, 1, 0, 'tied')`,
  );
  expect(await isLate()).toEqual([false, false, false, false]);
  const started = /^tieout_run_started_timestamp_seconds\{.*\} (.*)$/m.exec(await readMetrics(books.db))?.[1];
  expect(Number(started)).toBeLessThan(Date.now() / 1_000);
});
