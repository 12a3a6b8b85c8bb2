// What a scheduler meets: the notice and the metrics of a night, its exit codes, and another run at work.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockBooks } from '../../src/database/writer-lock.ts';
import type { Event } from '../../src/run/events.ts';
import { withRun } from '../../src/run/work.ts';
import { environmentOf, openStage, type Stage } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';
import { played } from './played.ts';
import { complaint, type Env } from './tieout.ts';

let stage: Stage;
let env: Env;
const notices: Record<string, unknown>[] = [];
const hook = createServer(async (request, response) => {
  notices.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
  response.writeHead(204).end();
});
const file = join(newFolder(), 'tieout.prom');

beforeAll(async () => {
  stage = await openStage(
    {
      seed: 23,
      days: 2,
      perDay: 5,
      entities: 1,
      until: '2026-11-03T00:00:00Z',
      defects: ['unlisted-movement'],
    },
    afterAll,
  );
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done));
  env = {
    ...environmentOf(stage),
    TIEOUT_ON_FINISH: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
    TIEOUT_METRICS_FILE: file,
  };
});
afterAll(async () => {
  hook.close();
});

test('a night with findings: exit 1, a notice with verdicts, metrics of the ended run', async () => {
  const { exitCode } = await played(['nightly'], env);
  expect(exitCode).toBe(1);
  expect(notices.at(-1)).toMatchObject({
    job: 'nightly',
    outcome: 'findings',
    exit_code: 1,
    entities: [{ entity_id: 'main', verdict: 'findings', breaks: 1 }],
  });
  expect(readFileSync(file, 'utf8')).toMatch(
    /^tieout_runs_total\{job="nightly",exit_code="1",books="[0-9a-f-]+"\} 1$/m,
  );
});

test('--exit-on failed: findings exit with 0, and the notice says what they are', async () => {
  expect((await played(['nightly', '--exit-on', 'failed'], env)).exitCode).toBe(0);
  expect(notices.at(-1)).toMatchObject({ outcome: 'findings', exit_code: 1 });
});

test('another run at work: 75, unless it ends while the night waits', async () => {
  const lock = await lockBooks(stage.database.url, 'rebuild');
  const busy = await played(['nightly', '--wait', '1s'], env);
  expect([busy.exitCode, complaint(busy)]).toEqual([75, [expect.stringContaining('another run is writing')]]);
  expect(notices.at(-1)).toMatchObject({ outcome: 'failure', exit_code: 75 });
  const waited = played(['nightly', '--wait'], env);
  setTimeout(lock.release, 1_500);
  expect((await waited).exitCode).toBe(1);
});

test('a run that waits for another one says so, and for which', async () => {
  const lock = await lockBooks(stage.database.url, 'rebuild');
  const events: Event[] = [];
  const tell = (event: Event) => {
    if (event.event === 'night waits') events.push(event);
    void lock.release();
  };
  const work = async () => ({ exitCode: 0 as const, requests: 0, pages: 0, fewest: 0, summary: '' });
  await withRun(stage.settings(), 'test', { waitMs: 60_000, tell, work });
  expect(events).toEqual([{ event: 'night waits', holder: expect.stringContaining('tieout rebuild pid') }]);
});

test('another run at work on books that a new version must migrate first: 75, unless the night waits', async () => {
  const age = () =>
    stage.rows(`do $$ begin execute format('comment on schema books is %L',
      regexp_replace(obj_description('books'::regnamespace), '[0-9a-f]{64}$', repeat('0', 64))); end $$`);
  await age();
  const fileless = { ...env, TIEOUT_METRICS_FILE: '' }; // of books that wait to be migrated nothing can be read
  const lock = await lockBooks(stage.database.url, 'rebuild');
  const busy = await played(['nightly', '--wait', '1s'], fileless);
  expect([busy.exitCode, complaint(busy)]).toEqual([75, [expect.stringContaining('another run is writing')]]);
  const waited = played(['nightly', '--wait'], fileless);
  setTimeout(lock.release, 4_000);
  expect((await waited).exitCode).toBe(1);
});

test.each<[string, Env, number, RegExp]>([
  ['no database', { DATABASE_URL: 'postgresql://a:b@127.0.0.1:9/c' }, 2, /cannot be reached/],
  ['a wrong setting', { GATEWAY_RPM: '0' }, 64, /GATEWAY_RPM is "0"/],
])('a night that cannot begin notifies: %s', async (_, wrong, exitCode, summary) => {
  expect((await played(['nightly'], { ...env, ...wrong })).exitCode).toBe(exitCode);
  expect(notices.at(-1)).toMatchObject({
    outcome: 'failure',
    exit_code: exitCode,
    summary: expect.stringMatching(summary),
  });
});

test('a notice that fails is a warning', async () => {
  const ended = await played(['nightly'], { ...env, TIEOUT_ON_FINISH: 'http://127.0.0.1:9/T0/secret' });
  expect([ended.exitCode, complaint(ended)]).toEqual([
    1,
    ['tieout: the address of TIEOUT_ON_FINISH cannot be reached (ECONNREFUSED)'],
  ]);
  expect(ended.stderr).not.toContain('secret');
});

test('a metrics file elsewhere than a collector looks is refused', async () => {
  const ended = await played(['nightly'], { ...env, TIEOUT_METRICS_FILE: '/tmp/metrics.txt' });
  expect([ended.exitCode, complaint(ended).join()]).toEqual([64, expect.stringContaining('ends in .prom')]);
});
