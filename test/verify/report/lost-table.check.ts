// A lake of which a table is not there, as after a transfer that was cut off: it is named, and the rest is examined all the same.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportReports } from '../../../src/export/export.ts';
import { verifyLakeAgainstBooks } from '../../../src/verify/report/lake-books.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import type { Proof } from '../../../src/verify/verify.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { makeQuestioned } from '../../export/questions.ts';
import { october } from '../../export/world.ts';
import { newFolder } from '../../room.ts';
import { changeManifest, copyOf } from './forged-lake.ts';
import { lakeManifestOf } from './stated.ts';

const settings = { timezone: 'Europe/Madrid', currency: 'EUR' };
let books: TestDatabase;
let written: string;
beforeAll(async () => {
  books = await freshDatabase();
  await makeQuestioned(books);
  const ask = { ...october(books.pool), settings, format: 'parquet', isWhole: true } as const;
  written = (await exportReports({ ...ask, outDir: join(newFolder(), 'lake') })).dir;
});
afterAll(() => books.close());

const firstsOf = (proofs: readonly Proof[]): Record<string, string> =>
  Object.fromEntries(proofs.flatMap(({ proof, first }) => (first === null ? [] : [[proof, first]])));

const booksFaults = async (dir: string) =>
  firstsOf(await verifyLakeAgainstBooks(books.pool, dir, { manifest: lakeManifestOf(dir), settings }));

/** A copy without a table, and without its files in the manifest. */
const lakeWithout = (table: string): string => {
  const dir = copyOf(written);
  rmSync(join(dir, table), { recursive: true });
  changeManifest(dir, (manifest) => {
    const files = manifest.files.filter(({ name }) => !name.startsWith(`${table}/`));
    Object.assign(manifest, { files });
  });
  return dir;
};

test('the folder alone names it, and the proofs that need none of it hold', async () => {
  const { proofs } = await verifyFolder(lakeWithout('labels'));
  expect(firstsOf(proofs)).toEqual({
    'each has its rows and columns': expect.stringMatching(/^(manifest.json: )?labels has /),
  });
});

test.each([
  ['labels', {}],
  [
    'postings',
    {
      'the books have the postings of the lake, and no others until its last entry': 'postings has no file',
    },
  ],
])('%s: the books are compared, and those that have changed since', async (table, faults) => {
  const dir = lakeWithout(table);
  expect(await booksFaults(dir)).toEqual({
    'the books write the same tables and facts again': expect.stringMatching(/is missing$/),
  });
  changeManifest(dir, (manifest) => Object.assign(manifest.lake.books, { links: 1 }));
  expect(await booksFaults(dir)).toEqual(faults);
});
