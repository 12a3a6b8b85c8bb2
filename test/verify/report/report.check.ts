// verify report: every kind of damage to a folder is found and named, without the books and with them.
import fs, { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ownRows } from '../../../src/base/csv-file.ts';
import { canonical, sha256 } from '../../../src/base/json.ts';
import { exportReports, type Format, type ProfileName } from '../../../src/export/export.ts';
import { csvText } from '../../../src/export/reports/csv.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { differencesOf } from '../../../src/verify/report/difference.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { makeWorld, october } from '../../export/world.ts';
import { newFolder } from '../../room.ts';
import { manifestOf } from './stated.ts';

let books: TestDatabase;
const written = new Map<string, string>();
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
});
afterAll(() => books.close());

const settings = { timezone: 'Europe/Madrid', currency: 'EUR' };

/** A copy of an export that a test may damage. */
const copyOf = async (format: Format = 'csv', profile?: ProfileName): Promise<string> => {
  const key = `${format} ${profile}`;
  const ask = { ...october(books.pool), format, ...(profile ? { profile } : {}) };
  const dir = written.get(key) ?? (await exportReports(ask)).dir;
  written.set(key, dir);
  const copy = join(newFolder(), 'copy');
  cpSync(dir, copy, { recursive: true });
  return copy;
};

const change = (dir: string, file: string, from: string | RegExp, to: string): void => {
  const text = readFileSync(join(dir, file), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(join(dir, file), text.replace(from, to));
};

/** Corrects the manifest after a file was changed, as a careful forger would. */
const forge = (dir: string, file: string): void => {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  for (const entry of manifest.files)
    if (entry.name === file) entry.sha256 = sha256(readFileSync(join(dir, file)));
  const text = JSON.stringify(JSON.parse(canonical(manifest)), null, 2);
  writeFileSync(join(dir, 'manifest.json'), `${text}\n`);
};

const faultsIn = async (dir: string): Promise<string[]> =>
  (await verifyFolder(dir)).proofs.flatMap(({ first }) => first ?? []);

const booksSay = async (dir: string): Promise<string | null> =>
  (await verifyAgainstBooks(books.pool, dir, { manifest: manifestOf(dir), settings }))[0]?.first ?? null;

/** The first difference from what the books write, which is the folder as it was written. */
const firstIn = async (dir: string, key = 'csv undefined'): Promise<string | null> =>
  (await differencesOf({ expected: written.get(key) ?? '', found: dir }, manifestOf(dir)))[0] ?? null;

describe.each([
  ['csv', 'machine'],
  ['csv', 'excel-es'],
  ['csv', 'excel-de'],
  ['csv', 'excel-en'],
  ['xlsx', 'excel-es'],
  ['xlsx', 'machine'],
  ['hledger', undefined],
  ['beancount', undefined],
] as const)('%s, %s', (format, profile) => {
  test('passes as it was written', async () => {
    const dir = await copyOf(format, profile);
    const { proofs } = await verifyFolder(dir);
    expect(proofs.filter(({ first, checked }) => first !== null || checked === '0')).toEqual([]);
    const [totals] = proofs.filter((proof) => proof.proof.startsWith('control totals'));
    if (format === 'csv' || format === 'xlsx') expect(totals?.checked).toBe('28'); // seven of each currency
    expect(await booksSay(dir)).toBe(null);
  });
});

test.each(['csv', 'xlsx'] as const)(
  'a file of %s is opened twice, for its digest and for its rows',
  async (format) => {
    const dir = await copyOf(format);
    const opened = vi.spyOn(promises, 'open');
    const openedAtOnce = vi.spyOn(fs, 'openSync');
    syncBuiltinESMExports();
    try {
      await verifyFolder(dir);
      const paths = [...opened.mock.calls, ...openedAtOnce.mock.calls].map(([path]) => `${path}`);
      const tables = readdirSync(dir).filter((name) => /\.(csv|xlsx)$/.test(name));
      expect(tables.length).toBeGreaterThan(0);
      for (const name of tables) expect(paths.filter((path) => path === join(dir, name))).toHaveLength(2);
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  },
);

/** The same in another report, which the trial balance shows. */
const CONVERSION =
  'journal.csv (amount) and trial_balance.csv (debit + prior_period - credit) differ in main equity:conversion EUR: 6222.85 and 6222.84';

test('a changed digit is named by file, line, column, expected and found text, also with a forged digest', async () => {
  const dir = await copyOf();
  change(dir, 'journal.csv', '6172.84', '6172.85');
  const sums = ['EUR debit: the manifest says 6323.34, the files sum to 6323.35', CONVERSION];
  expect(await faultsIn(dir)).toEqual([
    expect.stringMatching(/^journal\.csv: the manifest says [0-9a-f]{64}, the file has [0-9a-f]{64}$/),
    ...sums,
  ]);
  forge(dir, 'journal.csv');
  expect(await faultsIn(dir)).toEqual(sums);
  expect(await booksSay(dir)).toBe(
    'journal.csv, line 10, column amount: expected "6172.84", found "6172.85"',
  );
});

/** Another figure in a column of the first entry that has `from` there. */
const relist = (dir: string, column: string, from: string, to: string): void => {
  const path = join(dir, 'journal_entries.csv');
  const rows = ownRows(readFileSync(path, 'utf8'));
  const place = rows[0]?.indexOf(column) ?? -1;
  const row = rows.find((cells) => cells[place] === from);
  if (row === undefined) throw new Error(`no ${column} is ${from}`);
  row[place] = to;
  writeFileSync(path, csvText(rows));
  forge(dir, 'journal_entries.csv');
};

test.each([
  ['number', 'number', '4', '9'],
  ['legs', 'leg', '2', '3'],
])('an entry with another %s than in the journal', async (column, posted, from, to) => {
  const dir = await copyOf();
  relist(dir, column, from, to);
  expect(await faultsIn(dir)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^journal_entries\\.csv \\(${column}\\) and journal\\.csv \\(${posted}\\) differ in main 2026-10 `,
      ),
    ),
  ]);
});

test('an entry that the list lacks', async () => {
  const dir = await copyOf();
  change(dir, 'journal_entries.csv', /^main,,6,.*\n/m, '');
  forge(dir, 'journal_entries.csv');
  expect((await faultsIn(dir)).join('\n')).toMatch(
    /journal_entries\.csv \(number\) and journal\.csv \(number\) differ/,
  );
});

test.each([['excel-es'], ['excel-de']] as const)('a decimal comma moved in %s', async (profile) => {
  const dir = await copyOf('csv', profile);
  change(dir, 'trial_balance.csv', ';-100,500001;', ';-10,0500001;');
  expect(await faultsIn(dir)).toContainEqual(expect.stringMatching(/^EUR assets: the manifest says /));
  expect(await firstIn(dir, `csv ${profile}`)).toBe(
    'trial_balance.csv, line 4, column closing: expected "-100,500001", found "-10,0500001"',
  );
});

test('a column moved, a row lost, a row more', async () => {
  const dir = await copyOf();
  change(dir, 'trades.csv', 'record_id,version', 'version,record_id');
  expect(await faultsIn(dir)).toContain('trades.csv, line 1, column 3: expected record_id, found version');
  const less = await copyOf();
  change(less, 'trial_balance.csv', /main,,assets:pocket:p1.*\n/, '');
  forge(less, 'trial_balance.csv');
  expect(await faultsIn(less)).toEqual([
    expect.stringMatching(/^trial_balance\.csv: the manifest says \d+ rows, there are \d+$/),
    expect.stringMatching(/^ETH assets: the manifest says 2\.52, the files sum to 0$/),
    'trial_balance.csv: the accounts of main in units of ETH sum to -2.52, expected 0',
    'journal.csv (amount) and trial_balance.csv (debit + prior_period - credit) differ in main assets:pocket:p1 ETH: 0.02 and 0',
  ]);
  const more = await copyOf();
  writeFileSync(join(more, 'breaks.csv'), `${readFileSync(join(more, 'breaks.csv'), 'utf8')}main,"a\n`);
  expect((await faultsIn(more)).join('\n')).toMatch(/breaks\.csv: .*Quote/);
  expect(await firstIn(more)).toContain('breaks.csv');
});

test('an altered row of the coverage has another digest, and with a forged one the books find it', async () => {
  const dir = await copyOf();
  change(dir, 'coverage.csv', '2026-10-30T', '2026-10-31T');
  expect(await faultsIn(dir)).toEqual([
    expect.stringMatching(/^coverage\.csv: the manifest says [0-9a-f]{64}/),
  ]);
  forge(dir, 'coverage.csv');
  expect(await firstIn(dir)).toMatch(/^coverage\.csv, line \d+, column \w+: expected "2026-10-30T/);
});

test('a line end, a byte order mark: bytes that no cell shows', async () => {
  const dir = await copyOf();
  change(dir, 'fees.csv', /^/, '\ufeff');
  expect(await firstIn(dir)).toMatch(/^fees\.csv, line 1: expected "entity.*, found "⟨U\+FEFF⟩entity_id,/);
  const ends = await copyOf();
  change(ends, 'fees.csv', '\n', '\r\n');
  expect(await firstIn(ends)).toMatch(/^fees\.csv, byte \d+: only its line breaks differ/);
});

test('a file missing, a file more', async () => {
  const dir = await copyOf();
  renameSync(join(dir, 'fees.csv'), join(dir, 'fees (1).csv'));
  expect((await verifyFolder(dir)).proofs).toContainEqual(
    expect.objectContaining({ faults: '2', first: 'fees.csv is missing' }),
  );
});

test('an altered manifest', async () => {
  const dir = await copyOf();
  change(dir, 'manifest.json', '"debit": "6323.34"', '"debit": "6323.35"');
  expect(await faultsIn(dir)).toEqual(['EUR debit: the manifest says 6323.35, the files sum to 6323.34']);
  expect(await firstIn(dir)).toMatch(/^manifest\.json, line \d+: expected .*6323\.34.*, found .*6323\.35/);
  const order = await copyOf();
  change(order, 'manifest.json', '  "as_of"', '   "as_of"');
  expect(await faultsIn(order)).toEqual([expect.stringMatching(/^manifest\.json, line 2: an export writes/)]);
  change(order, 'manifest.json', '{\n', '{\r\n');
  expect((await faultsIn(order))[0]).toMatch(/^manifest\.json, line 1: .* the file has "\{\\r"$/);
});

test.each([
  ['no JSON', '{', 'manifest.json is not JSON'],
  ['of another program', '{"program":{"name":"x"}}', 'manifest.json was not written by tieout'],
  ['half of one', '{"program":{"name":"tieout"}}', 'manifest.json lacks period'],
  [
    'with a way out of the folder',
    '{"program":{"name":"tieout"},"period":"2026","entities":[],"control_totals":[],"files":[{"name":"../a"}]}',
    'manifest.json describes a file',
  ],
])('a manifest that is %s', async (_what, text, message) => {
  const dir = newFolder();
  writeFileSync(join(dir, 'manifest.json'), text);
  expect(await faultsIn(dir)).toEqual([expect.stringContaining(message)]);
});

test.each<[string, (manifest: { [name: string]: unknown }) => void, string]>([
  ['a file that is null', (one) => Object.assign(one, { files: [null] }), 'describes a file'],
  [
    'a file named by a number',
    (one) => Object.assign(one, { files: [{ name: 5, sha256: 'x', columns: [] }] }),
    'describes a file',
  ],
  ['an entity that is null', (one) => Object.assign(one, { entities: [null] }), 'describes entities.0'],
  [
    'a total that is null',
    (one) => Object.assign(one, { control_totals: [null] }),
    'describes control_totals.0',
  ],
  ['an unknown profile', (one) => Object.assign(one, { profile: 'constructor' }), 'describes profile'],
  ['no profile', (one) => Object.assign(one, { profile: undefined }), 'describes profile'],
  ['no format', (one) => Object.assign(one, { format: undefined }), 'describes format'],
  ['an empty batch', (one) => Object.assign(one, { batch: {} }), 'describes batch.package'],
  ['a lake of nothing', (one) => Object.assign(one, { lake: { tables: [null] } }), 'describes lake.tables.0'],
])('a manifest with %s is a fault of the folder', async (_, alter, message) => {
  const dir = await copyOf();
  const file = join(dir, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  alter(manifest);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  expect(await faultsIn(dir)).toEqual([expect.stringContaining(message)]);
});

test('a report with a name that every object inherits is a report like any other', async () => {
  const dir = await copyOf();
  renameSync(join(dir, 'fees.csv'), join(dir, 'constructor.csv'));
  change(dir, 'manifest.json', '"name": "fees.csv"', '"name": "constructor.csv"');
  expect(await faultsIn(dir)).toEqual([]);
});

test('a folder without a manifest is no export', async () => {
  await expect(verifyFolder(newFolder())).rejects.toMatchObject({ exitCode: 64 });
});

test('a workbook with a changed cell', async () => {
  const dir = await copyOf('xlsx', 'excel-es');
  const other = { ...october(books.pool), format: 'xlsx', profile: 'excel-es', timezone: 'UTC' } as const;
  cpSync(join((await exportReports(other)).dir, 'reports.xlsx'), join(dir, 'reports.xlsx'));
  expect(await faultsIn(dir)).toContainEqual(expect.stringMatching(/^reports\.xlsx: the manifest says/));
  expect(await booksSay(dir)).toMatch(/^reports\.xlsx, sheet [\p{L} ]+, line \d+, column \w+: /u);
});
