// Every mistake: one clear message on standard error, the right exit code, nothing half-done.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockBooks } from '../../src/database/writer-lock.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { freshDatabase, type TestDatabase, urlOf } from '../database.ts';
import { gatewayEnv } from '../gateway-env.ts';
import { environmentOf, openStage, type Stage } from '../jobs/stage.ts';
import { MISTAKES, NIGHT } from './mistakes.ts';
import { typed } from './played.ts';
import { complaint, type Env, folder, tieout } from './tieout.ts';

let stage: Stage;
let env: Env;
const ends: (() => Promise<void>)[] = [];

const database = async (): Promise<TestDatabase> => {
  const made = await freshDatabase();
  ends.push(made.close);
  return made;
};

beforeAll(async () => {
  stage = await openStage(
    { seed: 21, days: 4, perDay: 10, entities: 2, until: '2026-11-03T00:00:00Z' },
    afterAll,
  );
  env = environmentOf(stage);
  expect((await typed(['nightly'], env)).exitCode).toBe(0);
});

afterAll(async () => {
  for (const end of ends) await end();
});

/** The state of the books: any run that left something would change it. */
const state = () =>
  stage.rows(`select (select count(*) from land.records) as records, (select count(*) from ledger.entries) as entries,
    (select count(*) from land.requests) as requests, (select count(*) from run.entities) as entities,
    (select count(*) from decide.proposals) as proposals`);

describe('one clear message', () => {
  test.for(Object.entries(MISTAKES))('%s', async ([, mistake]) => {
    mkdirSync(join(folder, 'foreign'), { recursive: true });
    writeFileSync(join(folder, 'foreign', 'notes.txt'), 'mine');
    const before = await state();
    const ended = await typed(mistake.args, { ...env, ...mistake.env });
    const message = complaint(ended);
    expect([ended.exitCode, ended.stdout]).toEqual([mistake.exit, '']);
    expect(message[0]?.replace(/^tieout: (?=Usage)/, '')).toMatch(/^(tieout: |Usage: )/);
    expect(message.join('\n')).toMatch(mistake.says);
    expect(message.length, message.join('\n')).toBeLessThanOrEqual(mistake.lines ?? 1);
    expect(ended.stderr).not.toMatch(/hunter2|a fault in tieout|\.js:\d+/);
    expect(ended.stderr).not.toContain(stage.sandbox.apiSecret);
    expect(await state()).toEqual(before);
  });
});

test('a database of a newer schema', async () => {
  const newer = await database();
  await newer.pool.query("insert into public.schema_migrations values ('29990101000000')");
  const ended = await typed(['status'], { DATABASE_URL: newer.url });
  expect(complaint(ended)).toEqual([
    expect.stringMatching(/^tieout: the database is of a newer schema \(version 2999.*update tieout$/),
  ]);
  expect(ended.exitCode).toBe(2);
});

test.for([
  ['close', '2026-10', '--by', 'Ada'],
  ['approve', '2026-10', '--by', 'Grace'],
  ['reopen', '2026-10', '--by', 'Grace', '--reason', 'a correction'],
])('a month of no books: %o', async (args) => {
  const { url } = await database();
  const ended = await typed(args, { DATABASE_URL: url });
  expect([ended.exitCode, ended.stdout]).toEqual([64, '']);
  expect(complaint(ended)).toEqual(['tieout: nothing is booked yet: run npx tieout nightly first']);
});

test('a database that does not exist is named without its password', async () => {
  const url = urlOf(stage.database.url, 'no_such_books');
  const ended = await typed(['status'], { DATABASE_URL: url });
  expect([ended.exitCode, complaint(ended)]).toEqual([
    2,
    [expect.stringMatching(/no_such_books cannot be reached: .*does not exist/)],
  ]);
  expect(ended.stderr).not.toContain(new URL(url).password);
});

test('a database that stops in the middle is not reported as our bug', async () => {
  const lost = await database();
  const ended = tieout(['query', 'select pg_sleep(20)'], { DATABASE_URL: lost.url });
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like '%pg_sleep(20)%' and pid <> pg_backend_pid()`;
  while ((await lost.pool.query(end)).rowCount === 0) await new Promise((done) => setTimeout(done, 50));
  const { exitCode, stderr } = await ended;
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^tieout: the database .*terminat.*\n$/)]);
});

test('two runs at once: the second names the first', async () => {
  const lock = await lockBooks(stage.database.url, 'nightly');
  try {
    for (const args of [NIGHT, ['normalize']]) {
      const ended = await typed(args, env);
      expect([ended.exitCode, ended.stdout, complaint(ended)]).toEqual([
        75,
        '',
        [
          expect.stringMatching(
            /^tieout: another run is writing these books \(tieout nightly pid \d+, since .*\): wait for it/,
          ),
        ],
      ]);
    }
    expect((await typed(['status'], env)).exitCode).toBe(0);
  } finally {
    await lock.release();
  }
});

test("another account's key is refused", async () => {
  const other = await startSandbox({ seed: 22, days: 2, perDay: 10, until: '2026-11-03T00:00:00Z' });
  const [before] = await state();
  const ended = await typed(NIGHT, {
    ...env,
    ...gatewayEnv(other),
  });
  await other.close();
  expect([ended.exitCode, ended.stdout]).toEqual([64, '']);
  expect(complaint(ended)).toEqual([
    expect.stringMatching(/^tieout: these are the books of another account: main was begun with/),
  ]);
  const { records, entries, entities } = before ?? {};
  expect(await state()).toMatchObject([{ records, entries, entities }]);
});

test('a port in use is refused', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => taken.once('listening', listening));
  const { port } = taken.address() as { port: number };
  const ended = await typed(['sandbox', '--port', String(port)]);
  taken.close();
  expect([ended.exitCode, complaint(ended)]).toEqual([
    2,
    [`tieout: port ${port} cannot be used (EADDRINUSE): choose another port, or 0 for a free one`],
  ]);
});
