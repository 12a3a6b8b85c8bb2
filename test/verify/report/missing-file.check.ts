// verify report with the books: a file that is missing is a fault of the folder, also if it would say which run the folder shows.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExportOptions, exportReports } from '../../../src/export/export.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { makeWorld, october } from '../../export/world.ts';
import { newFolder } from '../../room.ts';
import { manifestOf } from './stated.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
});
afterAll(() => books.close());

const settings = { timezone: 'Europe/Madrid', currency: 'EUR' };

type Format = NonNullable<ExportOptions['format']>;

// A journal of another program is missing as that of hledger is.
const CASES: [Format, (string | RegExp)[]][] = [
  ['csv', ['journal.csv', 'tie_outs.csv', 'coverage.csv']],
  ['xlsx', [/\.xlsx$/]],
  ['hledger', [/\.hledger$/]],
];

describe.each(CASES)('%s', (format, files) => {
  let dir = '';
  beforeAll(async () => {
    ({ dir } = await exportReports({ ...october(books.pool), format }));
  });

  test.each(files)('without %s', async (missing) => {
    const manifest = manifestOf(dir);
    const name = `${manifest.files.find((file) => file.name.match(missing))?.name}`;
    const copy = newFolder();
    cpSync(dir, copy, { recursive: true });
    rmSync(join(copy, name));
    const [proof] = await verifyAgainstBooks(books.pool, copy, { manifest, settings });
    expect(proof?.first).toBe(`${name} is missing`);
  });
});
