// verify report: names, texts and currencies that spreadsheets and other programs would misread are no fault of a folder.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportReports } from '../../../src/export/export.ts';
import { PROFILES } from '../../../src/export/reports/profile.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { makeWorld, october } from '../../export/world.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
  await books.pool.query(readFileSync(new URL('../../export/hostile.sql', import.meta.url), 'utf8'));
});
afterAll(() => books.close());

test.each(
  PROFILES.flatMap((profile) => (['csv', 'xlsx'] as const).map((format) => [format, profile] as const)),
)('%s, %s: books with hostile texts pass as they were written', async (format, profile) => {
  const { dir } = await exportReports({ ...october(books.pool), period: '2026', format, profile });
  const { proofs } = await verifyFolder(dir);
  expect(proofs.filter(({ first }) => first !== null)).toEqual([]);
});
