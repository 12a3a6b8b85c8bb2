// init and doctor: an .env that only its owner reads, and a line for each check of a setup.
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { isAtLeast } from '../../src/cli/doctor.ts';
import { envText } from '../../src/cli/env-file.ts';
import { environment } from '../../src/config/environment.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { freshDatabase } from '../database.ts';
import { gatewayEnv } from '../gateway-env.ts';
import { newFolder } from '../room.ts';
import { bare, type Env, main } from './tieout.ts';

const here = newFolder();

/** A folder of its own, so that the .env of one test is not that of another. */
const place = (name: string): string => {
  const path = join(here, name);
  mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(path, 'secret'), 'hush\n', { mode: 0o600 });
  return path;
};

const tieoutIn = async (cwd: string, args: readonly string[], env: Env = {}) => {
  const options = {
    cwd,
    extendEnv: false,
    reject: false,
    env: { ...bare(), TIEOUT_HOME: join(cwd, 'home'), ...env },
  };
  const { exitCode, stdout, stderr } = await execa(process.execPath, [main(), ...args], options);
  return { exitCode, stdout, stderr };
};

const INIT = ['init', '--base-url', 'https://gateway.example.com', '--key', 'a#b', '--secret-file', 'secret'];

test('init writes a file for its owner alone, which is read as it was meant, and never replaces one', async () => {
  const cwd = place('init');
  const done = await tieoutIn(cwd, [...INIT, '--timezone', 'Europe/Madrid', '--json']);
  const file = join(cwd, '.env');
  expect([done.exitCode, JSON.parse(done.stdout).file]).toEqual([0, file]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(environment(cwd)).toMatchObject({
    GATEWAY_BASE_URL: 'https://gateway.example.com',
    GATEWAY_API_KEY: 'a#b',
    GATEWAY_API_SECRET_FILE: 'secret',
    TIEOUT_TIMEZONE: 'Europe/Madrid',
    TIEOUT_CURRENCY: 'EUR',
  });
  const before = readFileSync(file, 'utf8');
  const again = await tieoutIn(cwd, INIT);
  expect([again.exitCode, again.stderr]).toEqual([
    64,
    `tieout: ${file} exists: edit it, or replace it with --force`,
  ]);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect((await tieoutIn(cwd, [...INIT, '--force'])).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('TIEOUT_TIMEZONE=UTC\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('init says all that is missing or wrong, and writes nothing', async () => {
  const cwd = place('mistakes');
  expect((await tieoutIn(cwd, ['init', '--key', 'k'])).stderr).toBe(
    'tieout: init cannot ask questions without a terminal: add --base-url, --secret-file',
  );
  const insecure = INIT.map((word) => word.replace('https://', 'http://'));
  const wrong = await tieoutIn(cwd, [...insecure, '--timezone', 'Moon']);
  expect(wrong.exitCode).toBe(64);
  expect(wrong.stderr).toMatch(/2 mistakes.*\n.*TIEOUT_TIMEZONE.*\n.*GATEWAY_BASE_URL/);
  expect(() => statSync(join(cwd, '.env'))).toThrow('ENOENT');
});

test.each([`it's`, 'a b', 'c"d#', 'all \' three " without backtick'])(
  'a value survives the file: %s',
  (value) => {
    const cwd = place(`value ${sha256(value)}`);
    writeFileSync(join(cwd, '.env'), envText({ GATEWAY_API_KEY: value }), { mode: 0o600 });
    expect(environment(cwd).GATEWAY_API_KEY).toBe(value);
  },
);

test('a value that no quote can hold is refused', () => {
  expect(() => envText({ GATEWAY_API_KEY: `'"\`` })).toThrow('GATEWAY_API_KEY cannot be written to .env');
});

test.each([
  ['20.19.0', true],
  ['20.18.9', false],
  ['22.0.0', true],
  ['9.99.0', false],
])('Node %s is new enough: %s', (version, isEnough) => {
  expect(isAtLeast(version, '>=20.19')).toBe(isEnough);
});

const checksOf = (stdout: string): Record<string, string> =>
  Object.fromEntries(
    JSON.parse(stdout).checks.map(({ check, status }: { check: string; status: string }) => [check, status]),
  );

test('doctor: an empty folder fails for want of a gateway, and says what to do on a line for each check', async () => {
  const cwd = place('empty');
  const ended = await tieoutIn(cwd, ['doctor']);
  expect(ended.exitCode).toBe(2);
  const lines = ended.stdout.split('\n');
  expect(lines.map((line) => line.slice(8, 21).trim()).join(' ')).toBe(
    'node .env environment disk database schema roles gateway schedule',
  );
  expect(lines[4]).toMatch(/^look +database +no books yet: run npx tieout nightly$/);
  expect(lines[7]).toMatch(/^FAILED +gateway +3 mistakes .*GATEWAY_API_KEY is not set/);
});

test('doctor: an .env that others can read, and a mistake in it', async () => {
  const cwd = place('open');
  writeFileSync(join(cwd, '.env'), 'TIEOUT_TIMEZONE=Moon\n');
  chmodSync(join(cwd, '.env'), 0o644);
  const { exitCode, stdout } = await tieoutIn(cwd, ['doctor']);
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(/^FAILED +\.env +.*can be read by others.*chmod 600/m);
  expect(failuresIn(stdout)).toEqual(['.env']);
});

test('doctor: an .env that is a link to no file', async () => {
  const cwd = place('linked');
  symlinkSync(join(cwd, 'nowhere'), join(cwd, '.env'));
  const { stdout } = await tieoutIn(cwd, ['doctor']);
  expect(stdout).toMatch(/^FAILED +\.env +.*is a link that leads nowhere/m);
  expect(failuresIn(stdout)).toEqual(['.env']);
});

/** The checks that failed: one mistake is one line, and what rests on it is not checked. */
const failuresIn = (stdout: string): string[] =>
  stdout.split('\n').flatMap((line) => /^FAILED +(\S+)/.exec(line)?.slice(1) ?? []);

test.each<[string, Record<string, string>, string[], RegExp]>([
  [
    'a timezone that does not exist, which the gateway needs too',
    { TIEOUT_TIMEZONE: 'Moon' },
    ['environment', 'gateway'],
    /^look +schedule +not checked, because environment failed$/m,
  ],
  [
    'a server that nobody answers at',
    { DATABASE_URL: 'postgresql://tieout:x@127.0.0.1:1/books' },
    ['database', 'gateway'],
    /^FAILED +database +the database at 127\.0\.0\.1:1\/books cannot be reached: .*$/m,
  ],
  [
    'a gateway that nobody answers at',
    { GATEWAY_BASE_URL: 'http://127.0.0.1:1', GATEWAY_API_KEY: 'k', GATEWAY_API_SECRET: 's' },
    ['gateway'],
    /^FAILED +gateway +.*; check GATEWAY_BASE_URL and the network$/m,
  ],
])('doctor: %s', async (_, env, failures, line) => {
  const { exitCode, stdout, stderr } = await tieoutIn(place(failures.join('-')), ['doctor'], env);
  expect([exitCode, stderr]).toEqual([2, '']);
  expect(failuresIn(stdout)).toEqual(failures);
  expect(stdout).toMatch(line);
});

test('doctor: a key that the gateway does not know, and what to check', async () => {
  const gateway = await startSandbox({ seed: 5, days: 1, perDay: 1, entities: 1 });
  const { stdout } = await tieoutIn(place('key'), ['doctor'], {
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_API_KEY: 'other',
    GATEWAY_API_SECRET: gateway.apiSecret,
  });
  await gateway.close();
  expect(stdout).toMatch(
    /^FAILED +gateway +.*Invalid credentials.*; check GATEWAY_API_KEY and GATEWAY_API_SECRET, .* scope Read /m,
  );
});

test('doctor: a setup in order lacks only a night; another secret is refused by the gateway', async () => {
  const cwd = place('good');
  const books = await freshDatabase();
  const gateway = await startSandbox({
    seed: 5,
    days: 1,
    perDay: 1,
    entities: 1,
    until: '2026-11-03T00:00:00Z',
  });
  const env = {
    DATABASE_URL: books.url,
    ...gatewayEnv(gateway),
    GATEWAY_PORT: 'tcp://10.0.0.7:80', // as Kubernetes writes for a service called gateway
  };
  const good = await tieoutIn(cwd, ['doctor', '--json'], env);
  const other = await tieoutIn(cwd, ['doctor', '--json'], { ...env, GATEWAY_API_SECRET: 'other' });
  await books.pool.query(
    `insert into run.runs (run_id, job, started_at, finished_at, exit_code)
     values ('00000000-0000-4000-8000-000000000001', 'nightly', now(), now(), 0)`,
  );
  const after = await tieoutIn(cwd, ['doctor', '--json'], env);
  await gateway.close();
  await books.close();
  const all = {
    node: 'ok',
    '.env': 'ok',
    environment: 'ok',
    disk: 'ok',
    database: 'ok',
    schema: 'ok',
    roles: 'ok',
  };
  expect([good.exitCode, checksOf(good.stdout)]).toEqual([1, { ...all, gateway: 'ok', schedule: 'look' }]);
  expect(JSON.parse(good.stdout).checks[2].detail).toMatch(
    /; not settings of tieout, and ignored: GATEWAY_PORT$/,
  );
  expect([other.exitCode, checksOf(other.stdout).gateway]).toEqual([2, 'failed']);
  expect(other.stdout).not.toContain(gateway.apiKey);
  expect([after.exitCode, checksOf(after.stdout).schedule]).toEqual([0, 'ok']);
});
