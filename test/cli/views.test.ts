// tieout views: the list, one view, and an unknown name.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { typed } from './played.ts';

let books: TestDatabase;
let env: { DATABASE_URL: string };
beforeAll(async () => {
  books = await freshDatabase();
  env = { DATABASE_URL: books.url };
});
afterAll(() => books?.close());

test('the list has every view with its first sentence', async () => {
  const { exitCode, stdout } = await typed(['views'], env);
  expect(exitCode).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^name +one row$/);
  expect(lines.length).toBeGreaterThan(50);
  expect(stdout).toMatch(/^balances_at\(as_of timestamp with time zone\) +Balances of everything/m);
  expect(stdout).toMatch(/^runs +One row per run: one execution of a job\.$/m);
});

test.each(['tie_outs', 'books.tie_outs', 'Tie_Outs'])('%s: the view and its columns', async (name) => {
  const { exitCode, stdout } = await typed(['views', name], env);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^books\.tie_outs \(view\)\nOne row per run, account and currency: .*\n\ncolumn +type +meaning\n/,
  );
  expect(stdout).toMatch(/^difference +numeric +Reported minus booked, signed/m);
});

test('as json: the same content', async () => {
  const all = JSON.parse((await typed(['views', '--json'], env)).stdout);
  const one = JSON.parse((await typed(['views', 'closing_balances', '--json'], env)).stdout);
  expect(one).toMatchObject({ name: 'closing_balances', kind: 'function' });
  expect(one.columns[0]).toEqual({ name: 'entity_id', type: 'text', comment: '' });
  expect(all).toContainEqual(one);
});

test.each([
  ['tieouts', 'Did you mean tie_outs? '],
  ['trade', 'Did you mean trades? '],
  ['moon', ''],
])('%s: an unknown view is exit 64', async (name, advice) => {
  const { exitCode, stdout, stderr } = await typed(['views', name], env);
  expect([exitCode, stdout]).toEqual([64, '']);
  expect(stderr).toContain(`tieout: books has no view or function ${name}. ${advice}`);
  expect(stderr).toContain('npx tieout views lists them all');
});
