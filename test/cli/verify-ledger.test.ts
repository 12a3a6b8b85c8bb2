// verify ledger and the formats of export, as run from a shell.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { typed } from './played.ts';
import { complaint, type Env, folder } from './tieout.ts';

let books: TestDatabase;
let env: Env;
beforeAll(async () => {
  books = await freshDatabase();
  env = { DATABASE_URL: books.url };
});
afterAll(() => books?.close());

test('empty books pass', async () => {
  const { exitCode, stdout } = await typed(['verify', 'ledger'], env);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/entries balance +0 +holds/)]);
  const json = await typed(['verify', 'ledger', '--json'], env);
  expect(JSON.parse(json.stdout)).toMatchObject({ holds: true, programs: [] });
});

test('books with a fault are exit 1, and the first fault is named', async () => {
  const other = await freshDatabase();
  await other.pool.query(`insert into ledger.entries values ('main', gen_random_uuid(), now(), now(), '2026-10', 'manual', 'manual',
    'm', 1, 1, null, 1, '')`);
  const { exitCode, stdout } = await typed(['verify', 'ledger'], { DATABASE_URL: other.url });
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringMatching(/DOES NOT HOLD \(1 fault\), first: .* has no leg/),
  ]);
  await other.close();
});

test.each([
  [['--with', 'gnucash'], /choose from hledger, ledger, beancount/],
  [['--with', ''], /choose from hledger, ledger, beancount/],
  [['--with', 'hledger'], /^tieout: hledger is not installed/],
])('%j is one clear line', async (args, says) => {
  const ended = await typed(['verify', 'ledger', ...args], { ...env, PATH: folder });
  expect([ended.exitCode, ended.stdout]).toEqual([64, '']);
  expect(complaint(ended)).toEqual([expect.stringMatching(says)]);
});

test('an unknown program is one clear line', async () => {
  const out = join(folder, 'journal');
  const args = ['export', '--period', '2026-10', '--out', out, '--format'];
  const wrong = await typed([...args, 'qif'], env);
  expect([wrong.exitCode, complaint(wrong)]).toEqual([
    64,
    [expect.stringMatching(/Allowed choices are csv, xlsx, parquet, hledger, ledger, beancount/)],
  ]);
  expect((await typed([...args, 'ledger'], env)).stdout).toMatch(/^books\.ledger +0 /m);
});
