// verify report, and the profiles of export, as run from a shell.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairBooked } from '../../src/reconcile/reconcile.ts';
import { openRun } from '../../src/run/job-run.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../database.ts';
import { filesIn, makeWorld } from '../export/world.ts';
import { typed } from './played.ts';
import { complaint, type Env, folder, tieout } from './tieout.ts';

let books: TestDatabase;
let env: Env;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
  const run = await openRun(books.db, 'normalize');
  await pairBooked(books.db, run, { entities: ['main', 'Zeta'], transitMs: 0 });
  await derive(books.db, { timezone: 'Europe/Madrid', currency: 'EUR' });
  env = { DATABASE_URL: books.url, TIEOUT_TIMEZONE: 'Europe/Madrid' };
});
afterAll(() => books?.close());

const exported = async (out: string, ...args: readonly string[]): Promise<string> => {
  const dir = join(folder, out);
  const { exitCode, stderr } = await typed(['export', '--period', '2026-10', '--out', dir, ...args], env);
  expect([exitCode, stderr]).toEqual([0, '']);
  return dir;
};

test.each([
  ['--profile', 'excel-es'],
  ['--format', 'xlsx'],
])('another locale and timezone of the machine write the same bytes: %s %s', async (...args) => {
  const here = await exported(`here${args[1]}`, ...args);
  const there = join(folder, `there${args[1]}`);
  const away = { ...env, LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' };
  const { exitCode } = await tieout(['export', '--period', '2026-10', '--out', there, ...args], away);
  expect(exitCode).toBe(0);
  expect(filesIn(there)).toEqual(filesIn(here));
});

test('an unaltered export is exit 0, by itself and from the books', async () => {
  const dir = await exported('whole', '--profile', 'excel-de', '--entity', 'main');
  const { exitCode, stdout } = await typed(['verify', 'report', dir], env);
  expect(stdout).not.toContain('DOES NOT HOLD');
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(/the books write each again to the byte +\d+ +holds/),
  ]);
  const alone = await typed(['verify', 'report', dir, '--offline', '--json'], env);
  expect(JSON.parse(alone.stdout)).toMatchObject({ holds: true, unreachable: null });
});

test('an altered export is exit 1, and the cell is named', async () => {
  const dir = await exported('altered');
  const file = join(dir, 'trial_balance.csv');
  writeFileSync(file, readFileSync(file, 'utf8').replace('-100.500001', '-100.500002'));
  const { exitCode, stdout } = await typed(['verify', 'report', dir], env);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/EUR assets: the manifest says \S+, the files sum to/);
  expect(stdout).toContain(
    'trial_balance.csv, line 4, column closing: expected "-100.500001", found "-100.500002"',
  );
});

test('a file altered together with its digest holds by itself, which is said, and not beside the books', async () => {
  const dir = await exported('altered twice');
  const digestIn = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const [page, manifest] = [join(dir, 'report.html'), join(dir, 'manifest.json')];
  const before = digestIn(page);
  writeFileSync(page, readFileSync(page, 'utf8').replace('</title>', ', audited</title>'));
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(before, digestIn(page)));
  const alone = await typed(['verify', 'report', dir, '--offline'], env);
  expect([alone.exitCode, alone.stdout]).toEqual([
    0,
    expect.stringContaining('only a comparison with the books shows that'),
  ]);
  const beside = await typed(['verify', 'report', dir], env);
  expect([beside.exitCode, beside.stdout]).toEqual([1, expect.not.stringContaining('The folder alone')]);
});

test('without a database only the folder is verified, with a note', async () => {
  const dir = await exported('handed over');
  const away = { DATABASE_URL: 'postgresql://x:y@127.0.0.1:1/none' };
  const { exitCode, stdout } = await typed(['verify', 'report', dir], away);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('\nOnly the folder was verified: ')]);
});

test('books that did not write it are refused in one clear line', async () => {
  const other = await freshDatabase();
  const dir = await exported('of others');
  const ended = await typed(['verify', 'report', dir], { ...env, DATABASE_URL: other.url });
  expect([ended.exitCode, complaint(ended)]).toEqual([64, [expect.stringContaining('no books of')]]);
  await other.close();
});

test('missing books are said before a file of the folder is read, and --offline reads it without them', async () => {
  const dir = await exported('read later');
  rmSync(join(dir, 'journal.csv'));
  symlinkSync('/etc/passwd', join(dir, 'journal.csv')); // whoever reads it is refused
  const empty = await emptyDatabase();
  const ask = (...args: readonly string[]) =>
    typed(['verify', 'report', dir, ...args], { ...env, DATABASE_URL: empty.url });
  const [without, offline] = [await ask(), await ask('--offline')];
  expect([without.exitCode, complaint(without)]).toEqual([64, [expect.stringContaining('no books in')]]);
  expect([offline.exitCode, complaint(offline)]).toEqual([64, [expect.stringContaining('is a link')]]);
  await empty.close();
});

test('a folder without an export is refused in one clear line', async () => {
  mkdirSync(join(folder, 'photos'));
  for (const name of ['photos', 'nowhere']) {
    const ended = await typed(['verify', 'report', join(folder, name)], env);
    expect([ended.exitCode, complaint(ended)]).toEqual([
      64,
      [expect.stringContaining('has no manifest.json')],
    ]);
  }
});

test.each([
  [['--profile', 'excel-fr'], 'Allowed choices are machine, excel-es, excel-de, excel-en'],
  [['--profile', 'excel-es', '--format', 'ledger'], 'remove --profile'],
])('export %j is one clear line', async (args, says) => {
  const ended = await typed(['export', '--period', '2026-10', '--out', join(folder, 'no'), ...args], env);
  expect([ended.exitCode, complaint(ended)]).toEqual([64, [expect.stringContaining(says)]]);
});
