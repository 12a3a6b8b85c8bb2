// A read replica: a real standby of a real server, which streams from it. Readers use it if it keeps within the limit.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/database/connection.ts';
import { makeLogins, migrate } from '../../src/database/schema.ts';
import { openServer, removeServer } from '../../src/postgres/postgres.ts';
import { withBooks } from '../../src/run/run.ts';
import { complaint, tieout } from '../cli/tieout.ts';
import { QUICK } from '../database.ts';
import { gatewayEnv } from '../gateway-env.ts';
import { newFolder } from '../room.ts';

const SETTINGS = { ...QUICK, wal_level: 'replica', max_wal_senders: '4', synchronous_commit: 'on' };
let primary: Awaited<ReturnType<typeof openServer>>;
let replica: Awaited<ReturnType<typeof openServer>>;
let homes: readonly [string, string];

const configOf = (replicaUrl: string, databaseUrl = primary.url, lag = 0) =>
  readConfig({
    TIEOUT_HOME: newFolder(),
    DATABASE_URL: databaseUrl,
    TIEOUT_REPLICA_URL: replicaUrl,
    TIEOUT_REPLICA_LAG: String(lag),
  });

/** The server of a home whose copy follows it: the embedded programs cannot take a backup while it runs. */
const follow = (home: string, url: URL): void => {
  const data = join(home, 'postgres', 'data');
  const { uid, gid } = statSync(data);
  const conninfo = `host=${decodeURIComponent(url.hostname)} user=${url.username} password=${decodeURIComponent(url.password)}`;
  writeFileSync(join(data, 'standby.signal'), '');
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  for (const name of ['standby.signal', 'postgresql.auto.conf']) chownSync(join(data, name), uid, gid);
};

beforeAll(async () => {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  homes = [join(folder, 'a'), join(folder, 'b')];
  mkdirSync(homes[0], { mode: 0o755 });
  const first = await openServer(homes[0], { settings: SETTINGS });
  await migrate(first.url);
  await makeLogins(readConfig({ TIEOUT_HOME: newFolder(), DATABASE_URL: first.url }), first.url);
  await first.release();
  execFileSync('cp', ['-a', ...homes]);
  primary = await openServer(homes[0], { settings: SETTINGS });
  follow(homes[1], new URL(primary.url));
  replica = await openServer(homes[1], { settings: SETTINGS });
});
afterAll(async () => {
  await replica?.release();
  await primary?.release();
  for (const home of homes) await removeServer(home);
});

/** What a command that only reads sees: whether it is on a replica, and how many runs there are. */
const seen = (config: ReturnType<typeof configOf>) =>
  withBooks(
    config,
    async ({ pool }) =>
      (await pool.query('select pg_is_in_recovery() as is_replica, count(*)::int as runs from books.runs'))
        .rows[0],
    { as: 'analyst', isReading: true },
  );

const onServer = async (url: string, sql: string): Promise<readonly unknown[]> => {
  const { pool, close } = openDatabase(url);
  const { rows } = await pool.query({ text: sql, rowMode: 'array' });
  await close();
  return rows;
};

/** Waits for the replica to give this value. */
const replicaGives = (sql: string, value: unknown): Promise<void> =>
  vi.waitFor(async () => expect(await onServer(replica.url, sql)).toEqual([[value]]), 20_000);

const caughtUp = async (): Promise<void> => {
  const [[lsn]] = (await onServer(primary.url, 'select pg_current_wal_flush_lsn()::text')) as [[string]];
  await replicaGives(`select pg_last_wal_replay_lsn() >= '${lsn}'`, true);
};

/** Works while the replica replays nothing; whatever happens, it has replayed all that the primary wrote afterwards. */
const whilePaused = async (work: () => Promise<void>): Promise<void> => {
  await onServer(replica.url, 'select pg_wal_replay_pause()');
  await replicaGives('select pg_get_wal_replay_pause_state()', 'paused');
  try {
    await work();
  } finally {
    await onServer(replica.url, 'select pg_wal_replay_resume()');
    await caughtUp();
  }
};

const isUp = (home: string): boolean => existsSync(join(home, 'postgres', 'data', 'postmaster.pid'));

const RUN = `insert into run.runs (run_id, job, started_at, finished_at, exit_code) values (gen_random_uuid(), 'nightly', now(), now(), 0)`;

test('readers use the replica once it has what the primary wrote', async () => {
  await onServer(primary.url, RUN);
  expect(await seen(configOf(replica.url))).toEqual({ is_replica: true, runs: 1 });
});

test('a replica that cannot be reached is named by its variable', async () => {
  await expect(seen(configOf('postgresql://127.0.0.1:9/none'))).rejects.toThrow(
    /^TIEOUT_REPLICA_URL: the database at 127\.0\.0\.1:9\/none cannot be reached: .*; correct it, or leave it out/,
  );
});

test('a replica that is behind is refused with the last run of both', async () => {
  await whilePaused(async () => {
    await onServer(primary.url, RUN);
    await sleep(1_100);
    await expect(seen(configOf(replica.url))).rejects.toThrow(
      /^the replica at .* is [1-9]\d* seconds behind \(its last finished run is 1, the primary's is 2\): wait until/,
    );
    expect(await seen(configOf(replica.url, primary.url, 300))).toEqual({
      is_replica: true,
      runs: 1,
    });
  });
  expect(await seen(configOf(replica.url))).toEqual({ is_replica: true, runs: 2 });
});

test('an address that is not a replica of these books is a usage error', async () => {
  await expect(seen(configOf(primary.url))).rejects.toThrow(
    /^TIEOUT_REPLICA_URL leads to .*, which is not a replica/,
  );
  await onServer(primary.url, 'create database other');
  const other = new URL(primary.url);
  other.pathname = '/other';
  await migrate(other.href);
  await expect(seen(configOf(replica.url, other.href))).rejects.toThrow(
    'TIEOUT_REPLICA_URL leads to a replica of other books than DATABASE_URL',
  );
});

test('the time for which the primary was idle does not count, and a replica that is behind is refused at once', async () => {
  await whilePaused(async () => {
    await sleep(3_500);
    await onServer(primary.url, RUN);
    expect(await seen(configOf(replica.url, primary.url, 3))).toEqual({ is_replica: true, runs: 2 });
    await sleep(2_500);
    const startedAt = performance.now();
    await expect(seen(configOf(replica.url, primary.url, 3))).rejects.toThrow(/ is [4-9] seconds behind /);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

test('what a run at work writes counts from its start', async () => {
  await whilePaused(async () => {
    await onServer(primary.url, RUN.replace('now(), now(), 0', "now() - interval '1 hour', null, null"));
    await sleep(2_100);
    await expect(seen(configOf(replica.url, primary.url, 1))).rejects.toThrow(/ is \d+ seconds behind: /);
  });
  await onServer(primary.url, 'delete from run.runs where finished_at is null');
  expect(await seen(configOf(replica.url))).toMatchObject({ is_replica: true });
});

test('what was written beside the runs leaves a replica as current as it was', async () => {
  await whilePaused(async () => {
    await sleep(1_100);
    await onServer(primary.url, 'create table public.beside (nothing integer); drop table public.beside');
    expect(await seen(configOf(replica.url))).toMatchObject({ is_replica: true });
  });
});

const changed = (url: string, parts: Partial<Pick<URL, 'password' | 'pathname'>>): string =>
  Object.assign(new URL(url), parts).href;

test('a replica whose database has no books is refused like other books', async () => {
  const postgres = { pathname: '/template1' };
  await expect(seen(configOf(changed(replica.url, postgres)))).rejects.toThrow(
    'TIEOUT_REPLICA_URL leads to a replica of other books than DATABASE_URL',
  );
  const neither = configOf(changed(replica.url, postgres), changed(primary.url, postgres));
  await expect(seen(neither)).rejects.toThrow(/^no books in the database /);
});

test.each<[string, Parameters<typeof changed>[1], RegExp]>([
  ['a wrong database', { pathname: '/nowhere' }, /cannot be reached: database "nowhere" does not exist/],
  ['a wrong password', { password: 'hunter2' }, /cannot be reached: password authentication failed/],
])('%s in DATABASE_URL is not hidden by the replica', async (_, parts, why) => {
  await expect(seen(configOf(replica.url, changed(primary.url, parts), 300))).rejects.toThrow(why);
});

test('a primary on which nobody listens is what the replica is for', async () => {
  const nobody = 'postgresql://u:hunter2@127.0.0.1:9/d';
  await onServer(primary.url, RUN);
  expect(await seen(configOf(replica.url, nobody, 300))).toMatchObject({ is_replica: true });
  await sleep(1_100);
  await expect(seen(configOf(replica.url, nobody))).rejects.toThrow(
    /^the primary cannot be reached, and the replica at .* has replayed nothing for \d+ seconds: /,
  );
});

test('a replica that has replayed nothing since it began is behind from the newest run that it has', async () => {
  await onServer(
    primary.url,
    RUN.replace('now(), now(), 0', "now() - interval '1 hour', now() - interval '50 minutes', 0"),
  );
  await onServer(primary.url, 'checkpoint'); // the replica begins there again, with no commit to replay
  await caughtUp();
  await replica.release();
  while (isUp(homes[1])) {
    await sleep(200); // a session that was still leaving has kept the server: the last to leave stops it
    await (await openServer(homes[1], { settings: SETTINGS })).release();
  }
  replica = await openServer(homes[1], { settings: { ...SETTINGS, recovery_min_apply_delay: '1h' } });
  await onServer(primary.url, RUN);
  const before = await seen(configOf(replica.url, primary.url, 300));
  expect(before.is_replica).toBe(true);
  await sleep(2_100);
  await expect(seen(configOf(replica.url, primary.url, 1))).rejects.toThrow(
    / is \d+ seconds behind \(its last finished run is /,
  );
});

const LISTENING = ['listen', '--json'];

test('a replica in DATABASE_URL is named as the reason why nothing can be written, by doctor before a night', async () => {
  const gateway = { url: 'http://127.0.0.1:9', apiKey: 'nobody', apiSecret: 'nothing' }; // never asked
  const env = { ...gatewayEnv(gateway), DATABASE_URL: replica.url };
  const hint = 'write the address of the primary to DATABASE_URL';
  for (const args of [['nightly'], ['worker'], LISTENING, ['rebuild'], ['verify', 'ledger']]) {
    const ended = await tieout(args, env);
    expect([ended.exitCode, complaint(ended)]).toEqual([
      2,
      [expect.stringMatching(`^tieout: the database takes no writes \\(.*\\): ${hint}, `)],
    ]);
  }
  const { exitCode, stdout } = await tieout(['doctor'], env);
  expect([exitCode, stdout]).toEqual([2, expect.stringMatching(`database .* is a replica, .*: ${hint};`)]);
});
