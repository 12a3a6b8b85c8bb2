// Signals and lost connections: at any moment the program ends with one sentence and its exit code, nothing
// is half done, and the next night resumes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { inSession } from '../../src/database/connection.ts';
import { lockSchema } from '../../src/database/writer-lock.ts';
import { complaint, main } from '../cli/tieout.ts';
import { silentProxy } from '../database/silent-proxy.ts';
import { emptyDatabase } from '../database.ts';
import { newHome } from '../homes.ts';
import { booked, environmentOf, openStage, openStageAfterNight, type Stage, truth } from './stage.ts';

type Moment = () => Promise<boolean>;

const program = (env: Readonly<Record<string, string>>, args: readonly string[]) =>
  execa(process.execPath, [main(), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    extendEnv: false,
    reject: false,
    cwd: env.TIEOUT_HOME ?? '',
    timeout: 50_000,
    killSignal: 'SIGKILL' as const,
  });

/** Waits for the moment, acts on the program, and returns how it ended and how long that took. */
const until = async (child: ReturnType<typeof program>, moment: Moment, act: () => unknown) => {
  let isOver = false;
  void child.then(() => {
    isOver = true;
  });
  while (!isOver && !(await moment())) await pause(5);
  const begun = performance.now();
  await act();
  const { exitCode, stderr } = await child;
  return {
    exitCode,
    said: complaint({ exitCode, stdout: '', stderr: `${stderr}` }),
    tookMs: performance.now() - begun,
  };
};

const SAID = (signal: string) => [expect.stringMatching(new RegExp(`^tieout: interrupted by ${signal}: `))];

const some =
  (stage: Stage, table: string): Moment =>
  async () =>
    (await stage.rows(`select from ${table} limit 1`)).length > 0;

/** A session of this database, which shares its server with those of other tests. */
const session = (stage: Stage, where: string): Moment =>
  some(stage, `pg_stat_activity where datname = current_database() and ${where}`);

const MOMENTS: Readonly<Record<string, [NodeJS.Signals, number, string[], (stage: Stage) => Moment]>> = {
  'the gateway is slow': [
    'SIGTERM',
    143,
    ['slow:5000'],
    (stage) => async () => (await stage.log()).length > 0,
  ],
  'records are landed': ['SIGINT', 130, ['slow:4'], (stage) => some(stage, 'land.records')],
  'records are booked': ['SIGHUP', 129, ['slow:4'], (stage) => some(stage, 'ledger.entries')],
  'files are written': ['SIGINT', 130, [], (stage) => async () => existsSync(join(stage.home, 'exports'))],
};

test.each(Object.entries(MOMENTS))(
  'a night is interrupted while %s',
  async (_, [signal, exitCode, faults, moment]) => {
    const stage = await openStage({ entities: 1, days: 4, faults });
    const child = program(environmentOf(stage), ['nightly']);
    const ended = await until(child, moment(stage), () => child.kill(signal));
    expect(ended).toMatchObject({ exitCode, said: SAID(signal) });
    expect(ended.tookMs).toBeLessThan(15_000);
    expect(
      await stage.rows('select job, exit_code, summary, finished_at is not null as over from books.runs'),
    ).toEqual([
      {
        job: 'nightly',
        exit_code: exitCode,
        summary: expect.stringMatching(`^interrupted by ${signal}`),
        over: true,
      },
    ]);
    const idle =
      'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    await expect.poll(async () => (await stage.rows(idle)).length).toBe(0);
    if (faults.includes('slow:5000')) return;
    expect((await stage.night()).exitCode).toBe(0);
    expect(await booked(stage)).toEqual(await truth(stage));
  },
);

test('query and migrate are interrupted in a statement or while waiting', async () => {
  const database = await emptyDatabase();
  const env = { TIEOUT_HOME: newHome(), DATABASE_URL: database.url };
  const active = async (like: string) =>
    (
      await database.pool.query(
        'select from pg_stat_activity where datname = current_database() and query like $1',
        [like],
      )
    ).rowCount;
  const lock = await lockSchema(database.url, 1_000);
  const waiting = program(env, ['migrate']);
  const migrated = await until(
    waiting,
    async () => ((await active('%tieout_migrating%')) ?? 0) > 1,
    () => waiting.kill('SIGINT'),
  );
  await lock.release();
  expect(migrated).toMatchObject({ exitCode: 130, said: SAID('SIGINT') });
  await program(env, ['migrate']);
  const asking = program(env, ['query', 'select pg_sleep(50)']);
  const ended = await until(
    asking,
    async () => (await active('select pg_sleep(50)')) === 1,
    () => asking.kill('SIGTERM'),
  );
  expect(ended).toMatchObject({ exitCode: 143, said: SAID('SIGTERM') });
  expect(ended.tookMs).toBeLessThan(15_000);
  expect(await active('select pg_sleep(50)')).toBe(0);
  await database.close();
});

test('the embedded server ends with the process that started it; a second signal ends at once', async () => {
  const home = newHome();
  const pid = join(home, 'postgres/data/postmaster.pid');
  const isUp = async () => existsSync(pid) && !existsSync(join(home, 'postgres/lock'));
  expect((await program({ TIEOUT_HOME: home }, ['migrate'])).exitCode).toBe(0);
  const first = program({ TIEOUT_HOME: home }, ['query', 'select pg_sleep(50)']);
  const ended = await until(first, isUp, () => first.kill('SIGTERM'));
  expect(ended).toMatchObject({ exitCode: 143, said: SAID('SIGTERM') });
  expect(existsSync(pid)).toBe(false);
  const second = program({ TIEOUT_HOME: home }, ['query', 'select pg_sleep(50)']);
  const again = await until(second, isUp, async () => {
    const server = Number(readFileSync(pid, 'utf8').split('\n')[0]);
    writeFileSync(join(home, 'postgres/lock'), `${process.pid} held\n`); // leaving waits for it
    second.kill('SIGINT');
    await pause(1_500);
    expect(second.exitCode).toBeNull(); // it still waits
    second.kill('SIGINT');
    await second;
    process.kill(server, 'SIGINT'); // that server is ours: no other process stops it
  });
  expect(again).toMatchObject({ exitCode: 130, said: SAID('SIGINT') });
});

test('a signal that comes twice at once is one: a terminal and systemd send it to npx too, which passes it on', async () => {
  const stage = await openStage({ faults: ['slow:5000'] });
  const child = program(environmentOf(stage), ['nightly']);
  const moment = async () => (await stage.log()).length > 0;
  const ended = await until(child, moment, async () => {
    child.kill('SIGTERM');
    await pause(20);
    child.kill('SIGTERM');
  });
  expect(ended).toMatchObject({ exitCode: 143, said: SAID('SIGTERM') });
  expect(await stage.rows('select exit_code, finished_at is not null as over from books.runs')).toEqual([
    { exit_code: 143, over: true },
  ]);
});

test('a statement whose client was killed ends at the server within seconds', async () => {
  const stage = await openStageAfterNight();
  const asking = program(environmentOf(stage), ['query', 'select pg_sleep(50)']);
  const active = session(stage, "query = 'select pg_sleep(50)' and state = 'active'");
  await until(asking, active, () => asking.kill('SIGKILL'));
  await expect.poll(active, { timeout: 20_000, interval: 500 }).toBe(false);
});

const END = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** Ends every session for so long, or until the program ends: one that is lost between two statements is replaced at once. */
const endEverySession = async (
  { database }: Stage,
  child: ReturnType<typeof program>,
  awayMs: number,
): Promise<void> => {
  let isOver = false;
  void child.then(() => {
    isOver = true;
  });
  const begun = performance.now();
  await inSession(database.url, 'end', async (session) => {
    while (!isOver && performance.now() - begun < awayMs) {
      await session.query(END);
      await pause(5);
    }
  });
};

/** As long as a server takes that restarts: a job has lost its lock, and stores its end. */
const RESTART_MS = 1_000;

/** Not a session of the night before, which may show its last statement. */
const COPYING = "query like 'copy (%' and state <> 'idle'";

/** What the program does, at which moment the database goes, and for how long. */
const LOST: Readonly<Record<string, readonly [string[], (stage: Stage) => Moment, number]>> = {
  'the gateway answers': [['nightly'], (stage) => some(stage, 'land.requests'), RESTART_MS],
  'records are booked': [['nightly'], (stage) => some(stage, 'ledger.entries'), RESTART_MS],
  'records are booked, and stays away': [['nightly'], (stage) => some(stage, 'ledger.entries'), Infinity],
  'files are written': [
    ['nightly'],
    (stage) => async () => existsSync(join(stage.home, 'exports')),
    RESTART_MS,
  ],
  'a query runs': [
    ['query', 'select pg_sleep(50)'],
    (stage) => session(stage, "query = 'select pg_sleep(50)'"),
    RESTART_MS,
  ],
  'it exports': [['export', '--period', '2026-10'], (stage) => session(stage, COPYING), RESTART_MS],
  'it closes': [['close', '2026-10', '--by', 'Ada'], (stage) => session(stage, COPYING), RESTART_MS],
  'it verifies': [
    ['verify'],
    (stage) => session(stage, "application_name = 'tieout' and state is not null"),
    RESTART_MS,
  ],
};

/** The gate's own session may be the first that finds the database away; it says so before it tries again. */
const RETRY = /^tieout: the request gate at \S+ fails \(.+\): trying again$/;

test.each(Object.entries(LOST))('the database goes away while %s', async (_, [args, moment, awayMs]) => {
  const [job = ''] = args;
  const stage = await (job === 'nightly'
    ? openStage({ entities: 1, days: 4, faults: ['slow:4'] })
    : openStageAfterNight());
  const way = await silentProxy(stage.database.url);
  onTestFinished(way.close);
  const child = program({ ...environmentOf(stage), DATABASE_URL: way.url }, args);
  const ended = await until(child, moment(stage), () =>
    awayMs === Infinity ? way.cut() : endEverySession(stage, child, awayMs),
  );
  const sentences = ended.said.filter((line) => !RETRY.test(line));
  expect({ ...ended, said: sentences }).toMatchObject({
    exitCode: 2,
    said: [expect.stringMatching(/^tieout: [^\n]+/)],
  });
  expect(sentences[0]).not.toMatch(/fault|node_modules| at .*:\d+:\d+/); // no line of a stack
  if (!['nightly', 'close'].includes(job)) return;
  const [run] = await stage.rows('select job, exit_code from books.runs order by run_number desc limit 1');
  expect(run).toEqual({ job, exit_code: awayMs === RESTART_MS ? 2 : null });
});
