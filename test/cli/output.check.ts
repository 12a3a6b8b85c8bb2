// The output of commands: help with an example, one JSON value with --json, plain text without colour.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOG_LINE } from '../../src/run/run.ts';
import { freshDatabase } from '../database.ts';
import { environmentOf, openStage, type Stage } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';
import { played, typed } from './played.ts';
import { bare, type Env, folder, main, tieout } from './tieout.ts';

let stage: Stage;
let env: Env;

beforeAll(async () => {
  stage = await openStage(
    {
      seed: 23,
      days: 4,
      perDay: 10,
      entities: 1,
      until: '2026-11-03T00:00:00Z',
      defects: ['unlisted-movement'],
    },
    afterAll,
  );
  env = environmentOf(stage);
});

const ESC = String.fromCharCode(27);

test('the version is that of the package', async () => {
  expect((await tieout(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

/** Standard error is a log, and no secret is said. */
const isKept = (stdout: string, stderr: string): void => {
  for (const line of stderr.split('\n').filter(Boolean)) LOG_LINE.parse(JSON.parse(line));
  expect(stdout + stderr).not.toContain(stage.sandbox.apiSecret);
};

describe('--json is one JSON value on standard output, and nothing else', () => {
  test.for([
    [['migrate'], 0],
    [['extract'], 0],
    [['normalize'], 0],
    [['normalize', '--restate', '--dry-run'], 0],
    [['reconcile'], 1],
    [['status'], 0],
    [['query', 'select * from breaks'], 0],
    [['export', '--period', '2026-10', '--out', join(folder, 'json-export')], 0],
  ] as const)('%o', async ([args, exit]) => {
    const { exitCode, stdout, stderr } = await typed([...args, '--json'], env);
    expect([exitCode, typeof JSON.parse(stdout)]).toEqual([exit, 'object']);
    isKept(stdout, stderr);
  });

  test('nightly, with a verdict for each entity', async () => {
    const { exitCode, stdout, stderr } = await typed(['nightly', '--json'], env);
    isKept(stdout, stderr);
    expect([exitCode, JSON.parse(stdout).entities]).toEqual([
      1,
      [
        {
          entity_id: 'main',
          verdict: 'findings',
          breaks: 1,
          gaps: 0,
          rejects: 0,
          findings: 0,
          watermark: expect.any(String),
        },
      ],
    ]);
  });

  test('sandbox', async () => {
    const options = { cwd: folder, env: bare(), extendEnv: false, reject: false };
    const running = execa(process.execPath, [main(), 'sandbox', '--days', '1', '--json'], options);
    let stdout = '';
    while (!stdout.endsWith('}\n')) {
      stdout += await new Promise((done) => running.stdout.once('data', (chunk) => done(String(chunk))));
    }
    const { url, api_key, api_secret } = JSON.parse(stdout);
    expect((await fetch(`${url}/__world/now`)).status).toBe(200);
    expect([api_key, api_secret]).toEqual([expect.stringMatching(/^\S+$/), expect.stringMatching(/^\S+$/)]);
    running.kill('SIGINT');
    expect(await running).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

test('a command that writes a log ends it with its failure; another one only with --json', async () => {
  const wrong = { ...env, GATEWAY_RPM: '0' };
  const lines = (await played(['nightly'], wrong)).stderr.trim().split('\n');
  expect(lines.map((line) => LOG_LINE.parse(JSON.parse(line)))).toEqual([
    expect.objectContaining({
      level: 'error',
      event: 'failed',
      exit_code: 64,
      message: expect.stringContaining('GATEWAY_RPM is "0"'),
    }),
  ]);
  expect((await played(['nightly', '--entty', 'main'], env)).stderr).toMatch(
    /^\{.*unknown option '--entty'.*"exit_code":64\}\n$/,
  );
  expect((await played(['query', 'selct'], env)).stderr).toMatch(/^tieout: /);
  expect((await played(['query', 'selct', '--json'], env)).stderr).toMatch(/^\{.*"event":"failed"/);
});

test('status --check: 0 after a recent night, 1 and one line otherwise', async () => {
  const check = async (...args: string[]) => {
    const { exitCode, stdout } = await played(['status', '--check', ...args], env);
    return [exitCode, stdout];
  };
  expect(await check()).toEqual([0, 'every entity has a finished night of the last 26h\n']);
  expect(await check('--clean')).toEqual([1, 'main has no clean night of the last 26h: it never had one\n']);
  expect(await check('--max-age', '0s')).toEqual([
    1,
    expect.stringMatching(
      /^main has no finished night of the last 0s: the last one began \d minutes? ago\n$/,
    ),
  ]);
  expect((await played(['status', '--check', '--max-age', '1w'], env)).exitCode).toBe(64);
  expect((await played(['status', '--check', '--entity', 'none'], env)).exitCode).toBe(64);
});

test('status: the verdict first; with --all every part as a table or none, and the same as json', async () => {
  expect((await typed(['status'], env)).stdout).toMatch(/^Needs attention: 1 open break$/m);
  const { stdout } = await typed(['status', '--all'], env);
  for (const title of ['RUNS', 'WATERMARKS', 'GAPS: none', 'BREAKS', 'REJECTS: none'])
    expect(stdout).toMatch(new RegExp(`^${title}$`, 'm'));
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}nightly +1 /m);
  expect(stdout).toMatch(/trading_tie_out +assets:trading +USDC +250\.5 +open/);
  const { verdict, runs, breaks } = JSON.parse((await typed(['status', '--json'], env)).stdout);
  expect(verdict).toBe('Needs attention: 1 open break');
  expect(runs[0]).toMatchObject({ job: 'nightly', exit_code: 1 });
  expect(breaks).toEqual([
    expect.objectContaining({ currency: 'USDC', difference: '250.5', status: 'open' }),
  ]);
});

test('normalize --restate: a row for each stream and rule version, dry and for real, then nothing', async () => {
  await stage.rows("update ledger.outcomes set rule_version = 9 where stream = 'movements'");
  const [{ count = '' } = {}] = await stage.rows(
    "select count(*) from books.records where stream = 'movements'",
  );
  expect((await typed(['normalize'], env)).exitCode).toBe(1); // the break of the night is still open
  const note = `${count} records were booked by rule 9 of movements, the program has rule 1: npx tieout normalize --restate`;
  expect((await typed(['status', '--all'], env)).stdout).toContain(note);
  const dry = await typed(['normalize', '--restate', '--dry-run'], env);
  const row = new RegExp(`^main +movements +9 +1 +${count} +${count} +0 +0 +0 +0$`, 'm');
  expect(dry.stdout).toMatch(/^entity +stream +rule +now +looked at +unchanged +restated +newly booked/);
  expect(dry.stdout).toMatch(row);
  expect(dry.stdout).toContain('Dry run: nothing was booked.');
  const done = await typed(['normalize', '--restate', '--by', 'Ada', '--reason', 'a new rule'], env);
  expect(done.stdout).toMatch(row);
  const again = await typed(['normalize', '--restate', '--json'], env);
  expect(JSON.parse(again.stdout)).toMatchObject({ job: 'normalize', dry_run: false, restated: [] });
});

test('a reader that closes the pipe early is not an error', async () => {
  const options = { cwd: folder, env: { ...bare(), ...env }, extendEnv: false, reject: false };
  const running = execa(process.execPath, [main(), 'status'], options);
  running.stdout.destroy();
  const { exitCode, stderr } = await running;
  expect([exitCode, stderr]).toEqual([0, '']);
});

test('verify reports empty books, and defaults to coverage', async () => {
  const empty = await freshDatabase();
  const { exitCode, stdout } = await typed(['verify'], { DATABASE_URL: empty.url });
  await empty.close();
  expect([exitCode, stdout]).toEqual([0, 'nothing is landed yet, so there is nothing to verify\n']);
});

test('NO_COLOR takes precedence over every other setting', async () => {
  const plain = { ...env, NO_COLOR: '1', FORCE_COLOR: '3' };
  const printed = await Promise.all([
    tieout(['status'], plain),
    tieout(['nightly'], { ...plain, GATEWAY_API_KEY: '' }),
    tieout(['query', 'select 1 as n'], plain),
  ]);
  for (const { stdout, stderr } of printed) expect(stdout + stderr).not.toContain(ESC);
});

/** A shell runs the program with its standard output on a device, or with a limit of 512 or 1024 bytes a file. */
const inShell = async (line: string, args: readonly string[]) => {
  const options = {
    cwd: folder,
    env: { ...bare(), ...env },
    extendEnv: false,
    reject: false,
    timeout: 60_000,
  };
  const { exitCode, stderr } = await execa(
    'sh',
    ['-c', line, 'sh', process.execPath, main(), ...args],
    options,
  );
  return [exitCode, stderr.trim().split('\n').at(-1)];
};

const FULL = /standard output cannot be written: the disk is full; run the command again/;

test.each([
  ['of a query', ['query', 'select 1'], FULL],
  ['of a run that has findings', ['reconcile'], FULL],
  ['of a value with --json', ['status', '--json'], FULL],
])('a full device at the end %s is a failure, said once and at once', async (_, args, says) => {
  const begunMs = performance.now();
  expect(await inShell('exec "$@" > /dev/full', args)).toEqual([2, expect.stringMatching(says)]);
  expect(performance.now() - begunMs).toBeLessThan(25_000); // not only when the patience with a stuck command ends
});

test('a log that cannot be written ends no run', async () => {
  expect((await inShell('exec "$@" 2> /dev/full', ['reconcile']))[0]).toBe(1);
});

test.each(['csv', 'xlsx', 'hledger', 'parquet'])(
  'a disk without room ends an export as %s with one sentence, and leaves nothing',
  async (format) => {
    const home = newFolder();
    const args = ['export', '--period', '2026-10', '--format', format, '--out', join(home, 'out')];
    expect(await inShell('ulimit -f 1; exec "$@"', args)).toEqual([
      2,
      expect.stringMatching(
        /the export cannot be written to .*; (make room for it|put that right) or choose another folder/,
      ),
    ]);
    expect(readdirSync(home)).toEqual([]);
  },
);
