// verify report with the books: a file that is missing is a fault of the folder, also if it would say which run the folder shows.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportReports } from '../../../src/export/export.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { makeWorld, october } from '../../export/world.ts';
import { manifestOf } from './stated.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
});
afterAll(() => books.close());

const settings = { timezone: 'Europe/Madrid', currency: 'EUR' };

test.each([
  ['csv', 'journal.csv'],
  ['csv', 'tie_outs.csv'],
  ['csv', 'coverage.csv'],
  ['xlsx', /\.xlsx$/],
  ['hledger', /\.hledger$/],
  ['ledger', /\.ledger$/],
  ['beancount', /\.beancount$/],
] as const)('%s without %s', async (format, missing) => {
  const { dir } = await exportReports({ ...october(books.pool), format });
  const manifest = manifestOf(dir);
  const name = `${manifest.files.find((file) => file.name.match(missing))?.name}`;
  rmSync(join(dir, name));
  const [proof] = await verifyAgainstBooks(books.pool, dir, { manifest, settings });
  expect(proof?.first).toBe(`${name} is missing`);
});
