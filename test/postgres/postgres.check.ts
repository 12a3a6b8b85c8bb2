import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { FailedError } from '../../src/base/errors.ts';
import { inSession } from '../../src/database/connection.ts';
import { openServer, removeServer, type Server } from '../../src/postgres/postgres.ts';
import { runAs } from '../../src/postgres/system-user.ts';
import { QUICK } from '../database.ts';
import { end, HOLDER, newHome } from '../homes.ts';
import { roomy } from '../room.ts';

let home: string;
/** A home whose server was started and stopped. */
let lived: string;
const started: ChildProcess[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  lived = newHome();
  await (await openServer(lived, { settings: QUICK })).release();
});
afterAll(async () => {
  await removeServer(lived);
  rmSync(lived, { recursive: true, force: true });
});
beforeEach(() => {
  home = newHome();
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.release();
  await removeServer(home);
  rmSync(home, { recursive: true, force: true });
});

const open = async (settings: Record<string, string>, folder = home): Promise<Server> => {
  const server = await openServer(folder, { settings });
  servers.push(server);
  return server;
};
const quick = () => open(QUICK);
/** Copies a finished data folder, for a test that is not about a first start. */
const moveIn = () => execFileSync('cp', ['-a', `${lived}/.`, home]);
const dataDir = (folder = home): string =>
  JSON.parse(readFileSync(join(folder, 'postgres/server.json'), 'utf8')).dataDir;
const pidOf = (folder = home): number =>
  Number.parseInt(readFileSync(join(dataDir(folder), 'postmaster.pid'), 'utf8'), 10);
const isUp = (folder = home): boolean => existsSync(join(dataDir(folder), 'postmaster.pid'));
const ask = (url: string, text: string) => inSession(url, 'test', async (s) => (await s.query(text)).rows);

/** Another process that uses the server; without LANG, as under cron. */
const hold = async (): Promise<{ child: ChildProcess; url: string }> => {
  const child = spawn(process.execPath, [HOLDER, home], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  for await (const url of createInterface({ input: child.stdout })) return { child, url };
  throw new Error('the other process ended without a server');
};

test('a first start creates a UTF8 database in the C locale, whatever LANG is', async () => {
  const { child, url } = await hold();
  const settings =
    "select current_setting('server_encoding') as encoding, datcollate as collation, current_setting('jit') as jit";
  expect(await ask(url, `${settings} from pg_database where datname = current_database()`)).toEqual([
    { encoding: 'UTF8', collation: 'C', jit: 'off' },
  ]);
  expect(statSync(join(home, 'postgres/server.json')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(home, 'postgres/password'))).toBe(false);
  await end(child);
  expect(isUp()).toBe(false);
});

test('a second process attaches, and the last one out stops the server', async () => {
  moveIn();
  const { child, url } = await hold();
  const server = await quick();
  expect(server.url).toBe(url);
  await end(child);
  expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  await server.release();
  expect(isUp()).toBe(false);
  await server.release(); // a second release has no effect
});

test('a server whose process was killed is reused', async () => {
  moveIn();
  const { child, url } = await hold();
  await ask(url, 'create table public.kept as select 7 as n');
  const pid = pidOf();
  await end(child, 'SIGKILL');
  const server = await quick();
  expect([server.url, pidOf()]).toEqual([url, pid]);
  expect(await ask(server.url, 'table public.kept')).toEqual([{ n: 7 }]);
  await server.release();
  expect(isUp()).toBe(false);
});

test('processes that start at once share one server', async () => {
  const [one, two, three] = await Promise.all([hold(), hold(), quick()]);
  expect([two.url, three.url]).toEqual([one.url, one.url]);
  await Promise.all([end(one.child), end(two.child), three.release()]);
  expect(isUp()).toBe(false);
});

test('committed rows survive a restart, with the same password', async () => {
  moveIn();
  const first = await quick();
  await ask(first.url, 'create table public.kept as select 7 as n');
  await first.release();
  const second = await quick();
  expect(new URL(second.url).password).toBe(new URL(first.url).password);
  expect(await ask(second.url, 'table public.kept')).toEqual([{ n: 7 }]);
  await second.release();
});

test('a killed server whose pid another program uses is started again', async () => {
  moveIn();
  const first = await open({}); // with fsync: committed rows must survive
  await ask(first.url, 'create table public.kept as select 7 as n');
  const file = join(dataDir(), 'postmaster.pid');
  const text = readFileSync(file, 'utf8');
  process.kill(pidOf(), 'SIGKILL');
  await first.release(); // whatever is left to close
  const other = spawn('sleep', ['60'], await runAs(dataDir()));
  started.push(other);
  writeFileSync(file, text.replace(/^\d+/, String(other.pid)));
  const second = await quick();
  expect(await ask(second.url, 'table public.kept')).toEqual([{ n: 7 }]);
  await second.release();
});

test('a copy of a home in use gets a server of its own', async () => {
  moveIn();
  const server = await quick();
  const copy = mkdtempSync(join(roomy(), `tieout-test-${process.pid}-`));
  chmodSync(copy, 0o755);
  execFileSync('cp', ['-a', `${home}/.`, copy]);
  const second = await open(QUICK, copy);
  expect(pidOf(copy)).not.toBe(pidOf());
  await second.release();
  expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  await server.release();
  await removeServer(copy);
  rmSync(copy, { recursive: true, force: true });
});

test("a dead process's lock is taken over", async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  mkdirSync(join(home, 'postgres'));
  writeFileSync(join(home, 'postgres/lock'), `${child.pid} dead\n`);
  const servers = await Promise.all([quick(), quick()]);
  for (const server of servers) await server.release();
  expect(existsSync(join(home, 'postgres/lock'))).toBe(false);
});

test('an incomplete data folder is created again', async () => {
  mkdirSync(join(home, 'postgres/data.new'), { recursive: true });
  writeFileSync(join(home, 'postgres/data.new/PG_VERSION'), '18\n');
  await (await quick()).release();
  expect(existsSync(join(home, 'postgres/data.new'))).toBe(false);
});

const failure = async (): Promise<string> => {
  const error = await quick().catch((e: unknown) => e);
  expect(error).toBeInstanceOf(FailedError);
  expect((error as FailedError).exitCode).toBe(2);
  return (error as Error).message;
};

test('the data of another major version is refused', async () => {
  mkdirSync(join(home, 'postgres/data'), { recursive: true });
  writeFileSync(join(home, 'postgres/data/PG_VERSION'), '15\n');
  expect(await failure()).toMatch(
    /^the database in .*data was made by PostgreSQL 15 and this tieout brings \d+: dump it/,
  );
  await expect(removeServer(home)).rejects.toThrow(
    /contains files that tieout did not create \(data, without server.json\)/,
  );
  rmSync(join(home, 'postgres/data'), { recursive: true });
});

test('data without its password is reported', async () => {
  moveIn();
  await (await quick()).release();
  const note = join(home, 'postgres/server.json');
  const text = readFileSync(note, 'utf8');
  rmSync(note);
  expect(await failure()).toMatch(
    /server\.json is missing, and with it the password of .*: restore it, or remove/,
  );
  writeFileSync(note, text.replace(/"password": "/, '"password": "x'), { mode: 0o600 });
  expect(await failure()).toBe("the embedded server refuses server.json's password: restore that file");
  writeFileSync(note, text, { mode: 0o600 });
});

test('a server that does not start reports its own error', async () => {
  moveIn();
  const error = await openServer(home, { settings: { shared_buffers: 'much' } }).catch((e: Error) => e);
  expect(String(error)).toMatch(
    /did not start: see .*server\.log\n[\s\S]*invalid value for parameter "shared_buffers"/,
  );
});

test('removal is refused while another process uses the server', async () => {
  moveIn();
  const server = await quick();
  await expect(removeServer(home)).rejects.toThrow(/in use by another process/);
  await server.release();
});

test.skipIf(process.getuid?.() !== 0)(
  'as root, a home that no other user may enter has its server elsewhere',
  async () => {
    chmodSync(home, 0o700);
    const server = await quick();
    expect(dataDir()).toMatch(/^\/var\/lib\/tieout\/[0-9a-f]{16}\/data$/);
    expect(readFileSync(join(home, 'postgres/WHERE'), 'utf8')).toContain('/var/lib/tieout/');
    await ask(server.url, 'create table public.kept as select 7 as n');
    await server.release();
    const away = dataDir();
    chmodSync(home, 0o755); // an earlier choice stays
    const again = await quick();
    expect(await ask(again.url, 'table public.kept')).toEqual([{ n: 7 }]);
    await again.release();
    await removeServer(home);
    expect(existsSync(away)).toBe(false);
  },
);
