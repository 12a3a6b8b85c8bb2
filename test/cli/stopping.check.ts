// A signal ends a command while the database makes it wait, whichever connection it waits on: here for what another session holds.
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inSession } from '../../src/database/connection.ts';
import { lockSchema } from '../../src/database/writer-lock.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { bare, complaint, type Env, folder, main } from './tieout.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(
    `insert into run.entities (entity_id, name, first_seen_at) values ('main', 'main', now())`,
  );
});
afterAll(() => books.close());

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Sends the signal once a command waits, and returns how it ended; far later than that it is killed. */
const stopped = async (args: readonly string[], env: Env = {}) => {
  const running = execa(process.execPath, [main(), ...args], {
    cwd: folder,
    env: { ...bare(), ...env, DATABASE_URL: books.url },
    extendEnv: false,
    reject: false,
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const waiting = async () => (await books.pool.query(WAITING)).rowCount ?? 0;
  await expect.poll(waiting, { timeout: 50_000 }).toBeGreaterThan(0);
  running.kill('SIGTERM');
  const { exitCode, stdout, stderr } = await running;
  expect(await waiting()).toBe(0);
  return { exitCode, said: complaint({ exitCode, stdout, stderr }) };
};
const STOPPED = { exitCode: 143, said: [expect.stringMatching(/^tieout: interrupted by SIGTERM: /)] };

const LOCKED: Readonly<Record<string, readonly string[][]>> = {
  'public.schema_migrations': [['status'], ['migrate', '--status'], ['dump', 'new.gz'], ['doctor']],
  'run.entities': [['query', 'select * from entities']],
  'land.coverage': [['verify', 'coverage']],
};

test.each(
  Object.entries(LOCKED).flatMap(([table, all]) => all.map((args) => [args.join(' '), table, args] as const)),
)('%s, of which another session holds %s', async (_, table, args) => {
  await inSession(books.url, 'holder', async (session) => {
    await session.query(`begin; lock table ${table} in access exclusive mode`);
    expect(await stopped(args)).toEqual(STOPPED);
  });
});

const SERVING = {
  GATEWAY_BASE_URL: 'http://127.0.0.1:9',
  GATEWAY_API_KEY: 'key',
  GATEWAY_API_SECRET: 'secret',
  TIEOUT_WEBHOOK_KEY: 'a-key-of-the-webhook',
  TIEOUT_WEBHOOK_ANSWER: 'authorize',
};

test.each(['listen', 'serve', 'worker'])(
  '%s before it has begun ends with 0, without a word',
  async (command) => {
    await inSession(books.url, 'holder', async (session) => {
      await session.query(
        'begin; lock table public.schema_migrations, run.entities in access exclusive mode',
      );
      expect(await stopped([command], SERVING)).toEqual({ exitCode: 0, said: [] });
    });
  },
);

test('consolidate, in its first database and in a later one', async () => {
  const other = await freshDatabase();
  await other.pool.query(
    `insert into run.entities (entity_id, name, first_seen_at) values ('other', 'other', now())`,
  );
  await inSession(books.url, 'holder', async (session) => {
    await session.query('begin; lock table run.entities in access exclusive mode');
    expect(await stopped(['consolidate', books.url, other.url])).toEqual(STOPPED);
    expect(await stopped(['consolidate', other.url, books.url])).toEqual(STOPPED);
  });
  await other.close();
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the stand-in gateway ends with 0 after %s, without a word',
  async (signal) => {
    const running = execa(process.execPath, [main(), 'sandbox', '--days', '1'], {
      cwd: folder,
      env: bare(),
      extendEnv: false,
      reject: false,
    });
    let shown = '';
    await new Promise<void>((done) =>
      running.stderr.on('data', (text) => {
        shown += text;
        if (shown.includes('npx tieout nightly')) done();
      }),
    );
    running.kill(signal);
    const { exitCode, stderr } = await running;
    expect([exitCode, stderr]).toEqual([0, shown.trimEnd()]);
    expect(shown).toContain('\n  chmod 600 .env\n  npx tieout nightly'); // without which no .env is read
  },
);

test('verify ledger, while the schema is being changed', async () => {
  const lock = await lockSchema(books.url, 1_000);
  expect(await stopped(['verify', 'ledger'])).toEqual(STOPPED);
  await lock.release();
});

/** A module that runs before the program, and what it says of when a signal was first heard. */
const before = (onHeard: string): string =>
  `data:text/javascript,${encodeURIComponent(`process.on('newListener', (name) => { if (name === 'SIGTERM') { ${onHeard} } })`)}`;

/** Runs a command after such a module. */
const begun = (args: readonly string[], onHeard: string, env: Env = {}) =>
  execa(process.execPath, ['--import', before(onHeard), main(), ...args], {
    cwd: folder,
    env: { ...bare(), DATABASE_URL: books.url, ...env },
    extendEnv: false,
    reject: false,
  });

test('a signal is heard before the modules of a command are loaded', async () => {
  const onHeard = `const at = performance.now(); process.on('exit', () => console.error(at / performance.now()))`;
  const { stderr } = await begun(['completion', 'bash'], onHeard);
  expect(Number(stderr)).toBeGreaterThan(0);
  expect(Number(stderr)).toBeLessThan(0.5);
});

test.each([
  ['status', 143, [expect.stringMatching(/^tieout: interrupted by SIGTERM: /)]],
  ['nightly', 143, [expect.stringMatching(/^tieout: interrupted by SIGTERM: /)]],
  ['worker', 0, []],
  ['listen', 0, []],
  ['serve', 0, []],
  ['sandbox', 0, []],
])('%s that is stopped while its modules load ends with %i', async (command, exitCode, sentences) => {
  const onHeard = `setTimeout(() => process.kill(process.pid, 'SIGTERM'), 1)`;
  const { exitCode: code, stderr } = await begun([command], onHeard, SERVING);
  expect([code, complaint({ exitCode: code, stdout: '', stderr })]).toEqual([exitCode, sentences]);
});
