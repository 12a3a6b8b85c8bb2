// The demo as a new user runs it: built, with its own embedded Postgres, in its own folder.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { JOURNAL_NAMES } from '../../src/export/export.ts';
import { removeServer } from '../../src/postgres/postgres.ts';
import { DEFECTS } from '../../src/sandbox/sandbox.ts';
import { bare, main, tieout } from '../cli/tieout.ts';
import { COMMANDS, isMissing } from '../export/journals/installed.ts';

const isRoot = process.getuid?.() === 0;

type Ending = (end: () => Promise<void>) => void;

/** A home that is removed after the test. `mode` is its parent's. */
const homeOf = (finished: Ending, mode = 0o755): string => {
  const parent = mkdtempSync(join(tmpdir(), 'tieout-demo-'));
  chmodSync(parent, mode);
  const home = join(parent, 'home');
  mkdirSync(home);
  finished(async () => {
    await removeServer(join(home, 'demo')).catch(() => {});
    rmSync(parent, { recursive: true, force: true });
  });
  return home;
};

const demoed = async (home: string, ...options: string[]) => {
  const { exitCode, stdout, stderr } = await tieout(['demo', '--json', ...options], { TIEOUT_HOME: home });
  const { read: _, nights, written, found, missed, surplus, disagreeing } = JSON.parse(stdout || '{}');
  return { exitCode, stderr, nights, written, found, missed, surplus, disagreeing };
};

const QUERY = ['query', '--demo', '--format', 'csv'];
const RIGHT = { exitCode: 0, missed: [], surplus: [], disagreeing: [] };

const home = homeOf(afterAll);

test('killed with kill -9 and run again, it finds exactly the planted defects, and its books are readable', async () => {
  const options = { env: { ...bare(), TIEOUT_HOME: home }, extendEnv: false, reject: false };
  const killed = execa(process.execPath, [main(), 'demo'], options);
  const isAtWork = new Promise((done) => killed.stderr.on('data', done)); // its first night has begun
  await Promise.race([isAtWork, killed]);
  killed.kill('SIGKILL');
  expect((await killed).signal).toBe('SIGKILL');
  const report = await demoed(home);
  expect(report).toMatchObject({ ...RIGHT, nights: [{ exitCode: 1 }, { exitCode: 1 }] });
  expect(report.found.length).toBeGreaterThanOrEqual(DEFECTS.length);
  const breaks = report.found.filter((it: { what: string }) => it.what !== 'reject').length;
  const answer = await tieout([...QUERY, 'select count(*) as breaks from breaks'], { TIEOUT_HOME: home });
  expect(answer).toEqual({ exitCode: 0, stderr: '', stdout: `breaks\n${breaks}\n` });
  expect(readdirSync(join(home, 'demo', 'exports')).length).toBeGreaterThan(0);
});

const missing = JOURNAL_NAMES.filter(isMissing);
const skipped =
  missing.length > 0 ? ` (skipped: no ${missing.map((program) => COMMANDS[program]).join(', ')} here)` : '';

test(`these books are proved: coverage, every leg by other programs${skipped}, and a year in Spanish`, async () => {
  const programs = JOURNAL_NAMES.filter((program) => !missing.includes(program));
  const year = join(home, 'year');
  const period =
    readdirSync(join(home, 'demo', 'exports'))
      .sort()
      .at(-1)
      ?.slice(0, 4) ?? '';
  for (const [args, last] of [
    [['verify', 'coverage'], /holds/],
    [['verify', 'ledger', ...(programs.length > 0 ? ['--with', programs.join()] : [])], /holds/],
    [['export', '--period', period, '--profile', 'excel-es', '--out', year], /report\.html/],
    [['verify', 'report', year], /the books write each again to the byte +\d+ +holds/],
  ] as const) {
    const ended = await tieout([...args, '--demo'], { TIEOUT_HOME: home });
    expect(ended).toEqual({ exitCode: 0, stderr: expect.anything(), stdout: expect.stringMatching(last) });
  }
});

const name = 'by root, in a folder whose parent only root may enter';
if (!isRoot) test.skip(`${name}: needs root`, () => {});
else
  test(name, async () => {
    const closed = { TIEOUT_HOME: homeOf(onTestFinished, 0o700) };
    const begun = await tieout(['migrate'], closed);
    expect(begun).toMatchObject({ exitCode: 0, stderr: '' });
    const query = ['query', '--format', 'csv', 'select count(*) as trades from trades'];
    expect(await tieout(query, closed)).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: 'trades\n0\n',
    });
  });

test('over these books, without defects and after 50 random writes of a client, its nights are clean, and the books equal the truth', async () => {
  const { nights, written, ...report } = await demoed(home, '--clean', '--writes', '50', '--seed', '3');
  expect(report).toMatchObject({ ...RIGHT, found: [] });
  expect(nights).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  expect(Object.values<number>(written).reduce((sum, made) => sum + made, 0)).toBe(50);
});
