// confirm as run from a shell: its output and exit code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { adjustment, type Nights, openNights } from '../reconcile/stage.ts';
import { typed } from './played.ts';
import { folder } from './tieout.ts';

let nights: Nights;
const STATEMENT = join(folder, 'statement.csv');

beforeAll(async () => {
  nights = await openNights();
  await nights.night({
    records: { movements: [adjustment('m1', '10', { createdAt: '2026-02-28T22:59:59.999Z' })] },
    after: {},
  });
});
afterAll(() => nights?.close());

const confirm = (text: string, ...args: readonly string[]) => {
  writeFileSync(STATEMENT, text);
  const all = ['confirm', '--file', STATEMENT, '--by', 'Ana Ruiz', ...args];
  return typed(all, { DATABASE_URL: nights.url });
};

test('all agree: exit 0, with the digests of the signed statement', async () => {
  const text = 'account;currency;balance\r\ntrading;EUR;10.00\r\n';
  const { exitCode, stdout } = await confirm(text, '--as-of', '2026-03-01', '--evidence', STATEMENT);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^ +2 +assets:trading +EUR +10 +10 +agrees$/m);
  expect(stdout).toMatch(/^1 of 1 lines agree as of 2026-03-01T00:00:00\.000Z; stored as [0-9a-f]{12}$/m);
  expect(stdout).toContain(`sha256 of the statement: ${sha256(text)}`);
  expect(stdout).toContain(`sha256 of the evidence: ${sha256(text)}`);
});

test('some differ: exit 1, and json has the differences', async () => {
  const { exitCode, stdout } = await confirm(
    'account,currency,balance\nearn,EUR,1\n',
    '--as-of',
    '2026-03-01',
    '--json',
  );
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    entity_id: 'main',
    as_of: '2026-03-01T00:00:00.000Z',
    differing: 2,
    evidence_sha256: null,
    lines: [
      { line: 2, account: 'assets:earn', stated: '1', booked: '0', difference: '1', status: 'not-in-books' },
      {
        line: null,
        account: 'assets:trading',
        stated: null,
        booked: '10',
        difference: '-10',
        status: 'not-in-statement',
      },
    ],
  });
});

test('books that do not reach that instant are noted beside the comparison', async () => {
  const { exitCode, stdout } = await confirm(
    'account,currency,balance\ntrading,EUR,9.9\n',
    '--as-of',
    '2026-10-01T00:00:00Z',
  );
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/10 +DIFFERS by -0\.1$/m);
  expect(stdout).toMatch(
    /^the books of main are proved complete only up to 2026-03-\d\dT.*: run nightly first$/m,
  );
});

test("a day begins in the books' timezone", async () => {
  const madrid = { DATABASE_URL: nights.url, TIEOUT_TIMEZONE: 'Europe/Madrid' };
  await nights.rows("update run.entities set timezone = 'Europe/Madrid'");
  writeFileSync(STATEMENT, 'account,currency,balance\ntrading,EUR,10\n');
  const { stdout } = await typed(
    ['confirm', '--file', STATEMENT, '--by', 'Ana', '--as-of', '2026-03-01'],
    madrid,
  );
  expect(stdout).toContain('1 of 1 lines agree as of 2026-02-28T23:00:00.000Z');
});
