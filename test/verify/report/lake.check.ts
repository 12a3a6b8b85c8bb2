// verify report of a lake: its files are read and added up, and every kind of damage is found and named, without the books and
// with them.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExportOptions, exportReports } from '../../../src/export/export.ts';
import { verifyLakeAgainstBooks } from '../../../src/verify/report/lake-books.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import type { Proof } from '../../../src/verify/verify.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { makeQuestioned, SMALLER } from '../../export/questions.ts';
import { october } from '../../export/world.ts';
import { newFolder } from '../../room.ts';
import { changeManifest, copyOf, forge, type ManifestJson } from './forged-lake.ts';
import { lakeManifestOf } from './stated.ts';

const settings = { timezone: 'Europe/Madrid', currency: 'EUR' };
const POSTINGS = 'postings/entity_id=main/month=2026-10/part-0.parquet';
const BALANCES = 'balances/part-0.parquet';

let books: TestDatabase;
/** With amounts of 48 digits, which are text; and with decimals. */
let withTexts: string;
let withDecimals: string;
/** A month of one entity. */
let ofMonth: string;
const writeLake = async (options: Partial<ExportOptions> = {}): Promise<string> => {
  const outDir = join(newFolder(), 'lake');
  const ask = { ...october(books.pool), settings, format: 'parquet', isWhole: true, ...options } as const;
  return (await exportReports({ ...ask, outDir })).dir;
};
beforeAll(async () => {
  books = await freshDatabase();
  await makeQuestioned(books);
  withTexts = await writeLake();
  await books.pool.query(SMALLER);
  withDecimals = await writeLake();
  ofMonth = await writeLake({ isWhole: false, entities: ['main'] });
});
afterAll(() => books.close());

const firstsOf = (proofs: readonly Proof[]): Record<string, string> =>
  Object.fromEntries(proofs.flatMap(({ proof, first }) => (first === null ? [] : [[proof, first]])));
const faultsIn = async (dir: string) => firstsOf((await verifyFolder(dir)).proofs);

const booksProofs = (dir: string): Promise<Proof[]> =>
  verifyLakeAgainstBooks(books.pool, dir, { manifest: lakeManifestOf(dir), settings });

const MOVED = 'debits and credits of the control totals are those of the files';
const CLOSING = 'closing balances of the control totals are those of the files';
const BALANCED = 'each entry balances in each currency';
const SUMMED = 'balances are the sums of the postings';
const FACTS = 'period, entities and as-of are those of the tables';
const SHAPE = 'each has its rows and columns';
const REWRITTEN = 'the books write the same tables and facts again';
const AMONG = 'the books have the postings of the lake, and no others until its last entry';

describe('as it was written', () => {
  test.each(['texts', 'decimals'])('with %s, every proof compares something and holds', async (kind) => {
    const { proofs } = await verifyFolder(kind === 'texts' ? withTexts : withDecimals);
    expect(firstsOf(proofs)).toEqual({});
    expect(proofs.filter(({ checked }) => checked === '0')).toEqual([]);
    expect(proofs.map(({ proof }) => proof)).toEqual(
      expect.arrayContaining([MOVED, CLOSING, BALANCED, SUMMED, FACTS, SHAPE]),
    );
  });

  test('the books write a month of an entity again', async () => {
    expect(await booksProofs(ofMonth)).toEqual([expect.objectContaining({ proof: REWRITTEN, first: null })]);
  });

  test('what the postings of a month cannot show is not examined', async () => {
    const { proofs } = await verifyFolder(ofMonth);
    expect(firstsOf(proofs)).toEqual({});
    const unexamined = proofs.flatMap(({ proof, unexamined: reason }) => (reason ? [[proof, reason]] : []));
    expect(unexamined).toEqual([
      [CLOSING, 'the lake has the postings of 2026-10 alone'],
      [SUMMED, 'the lake has the postings of 2026-10 alone'],
    ]);
  });

  test('files of a desktop are no fault, in any folder', async () => {
    const dir = copyOf(withDecimals);
    writeFileSync(join(dir, 'postings/entity_id=main/.DS_Store'), '');
    expect(await faultsIn(dir)).toEqual({});
  });

  test('a folder whose name is a pattern is read', async () => {
    const dir = join(newFolder(), '[a]*');
    mkdirSync(dir);
    cpSync(withDecimals, dir, { recursive: true });
    expect(await faultsIn(dir)).toEqual({});
  });
});

describe('a changed manifest', () => {
  type Change = (manifest: ManifestJson) => void;
  const tableOf = (manifest: ManifestJson, name: string) =>
    manifest.lake.tables.find((table) => table.name === name) ?? {};
  test.each<[string, Change, string, RegExp]>([
    [
      'a control total',
      (manifest) => Object.assign(manifest.control_totals[0] ?? {}, { debit: '1', credit: '1' }),
      MOVED,
      /^\w+ debit: the manifest says 1, the files sum to [\d.]+$/,
    ],
    [
      'a closing balance',
      (manifest) => {
        const [total] = manifest.control_totals;
        Object.assign(total?.closing ?? {}, { equity: '7' });
      },
      CLOSING,
      /^\w+ equity: the manifest says 7, the files sum to /,
    ],
    [
      'the as-of',
      (manifest) => Object.assign(manifest, { as_of: '2026-10-01T00:00:00.000Z' }),
      FACTS,
      /^the manifest says as-of 2026-10-01T00:00:00.000Z, the coverage in the files proves /,
    ],
    [
      'the end of the period',
      (manifest) => Object.assign(manifest, { to: '2026-12-01T00:00:00.000Z' }),
      FACTS,
      /^the manifest says \S+ to 2026-12-01T00:00:00.000Z, 2026-10 is /,
    ],
    [
      'the entities',
      (manifest) => Object.assign(manifest, { entities: ['main'] }),
      FACTS,
      /^the manifest says entities main, the files have /,
    ],
    [
      'the rows of a table',
      (manifest) => Object.assign(tableOf(manifest, 'postings'), { rows: 1 }),
      SHAPE,
      /^manifest.json: postings has 1 rows, and \d+ in its files$/,
    ],
    [
      'the type of a column',
      (manifest) => {
        const columns = tableOf(manifest, 'balances').columns as { name: string; type: string }[];
        Object.assign(columns.find(({ name }) => name === 'balance') ?? {}, { type: 'double' });
      },
      SHAPE,
      /^balances\/part-0.parquet: the manifest says column balance double, the file has balance decimal\(38,18\)$/,
    ],
  ])('%s is found', async (_what, change, proof, first) => {
    const dir = copyOf(withDecimals);
    changeManifest(dir, change);
    expect((await faultsIn(dir))[proof]).toMatch(first);
  });

  test('the books find it too', async () => {
    const dir = copyOf(withDecimals);
    changeManifest(dir, (manifest) => Object.assign(manifest, { as_of: null, entities_not_read: ['x'] }));
    expect(await booksProofs(dir)).toMatchObject([
      { faults: '2', first: expect.stringMatching(/^manifest.json, as_of: expected "2026-\S+, found null$/) },
    ]);
  });

  test('names that are no names are refused before they become SQL', async () => {
    const dir = copyOf(withDecimals);
    changeManifest(dir, (manifest) => Object.assign(manifest.lake.tables[0] ?? {}, { name: 'a; drop' }));
    expect(await faultsIn(dir)).toEqual({
      'the manifest is one of ours': 'manifest.json describes a lake in a way that no export does',
    });
  });
});

describe('forged files with their digests in the manifest', () => {
  const [DOUBLED, ONE] = ['* replace (amount * 2 as amount)', '* replace (balance + 1 as balance)'];
  const TYPED = '* replace (balance::double as balance)';
  const SHIFTED = '* replace (case when leg = 1 and amount > 0 then amount + 1 else amount end as amount)';
  test.each([
    ['doubled amounts', POSTINGS, DOUBLED, [MOVED, CLOSING, SUMMED]],
    ['one side changed', POSTINGS, SHIFTED, [MOVED, CLOSING, BALANCED, SUMMED]],
    ['changed balances', BALANCES, ONE, [SUMMED]],
    ['another type', BALANCES, TYPED, [SHAPE]],
  ])('%s are found', async (_what, file, columns, proofs) => {
    const dir = copyOf(withDecimals);
    await forge(dir, file, columns);
    const faults = await faultsIn(dir);
    expect(Object.keys(faults)).toEqual(expect.arrayContaining(proofs));
    expect(faults['each has its SHA-256']).toBeUndefined();
  });

  test.each([
    ['doubled amounts', POSTINGS, DOUBLED],
    ['another type', BALANCES, TYPED],
  ])('the books find %s', async (_what, file, columns) => {
    const dir = copyOf(withDecimals);
    await forge(dir, file, columns);
    expect(firstsOf(await booksProofs(dir))).toEqual({ [REWRITTEN]: expect.stringContaining(file) });
  });

  test('amounts as text are added up too', async () => {
    const dir = copyOf(withTexts);
    await forge(dir, POSTINGS, "* replace (replace(amount, '.', '1.') as amount)");
    expect(Object.keys(await faultsIn(dir))).toEqual(expect.arrayContaining([MOVED, CLOSING, SUMMED]));
  });

  test('a file that is no Parquet is a fault of all that need it', async () => {
    const dir = copyOf(withDecimals);
    writeFileSync(join(dir, POSTINGS), 'not parquet');
    const faults = await faultsIn(dir);
    expect(Object.keys(faults)).toEqual(expect.arrayContaining([SHAPE, MOVED, CLOSING, BALANCED, SUMMED]));
  });

  test('the statements of lake.sql are those of its tables', async () => {
    const dir = copyOf(withDecimals);
    writeFileSync(join(dir, 'lake.sql'), `${readFileSync(join(dir, 'lake.sql'), 'utf8')}select 1;\n`);
    expect(await faultsIn(dir)).toMatchObject({
      'lake.sql opens its tables': 'lake.sql is not the one that an export writes for these tables',
    });
  });
});

describe('books that have changed since', () => {
  const change = (dir: string) =>
    changeManifest(dir, (manifest) => Object.assign(manifest.lake.books, { links: 1 }));

  test('still have its postings; the rest is not examined', async () => {
    const dir = copyOf(withDecimals);
    change(dir);
    const [postings, rewritten] = await booksProofs(dir);
    expect(postings).toMatchObject({ proof: AMONG, first: null });
    expect(postings?.checked).not.toBe('0');
    expect(rewritten).toMatchObject({
      proof: REWRITTEN,
      checked: '0',
      unexamined: 'the books have changed since the lake was written',
    });
  });

  test('find another account', async () => {
    const dir = copyOf(withDecimals);
    change(dir);
    await forge(dir, POSTINGS, "* replace (replace(account, 'assets', 'expenses') as account)");
    expect((await booksProofs(dir))[0]?.first).toBe(
      'main: the lake has as many postings as the books, but other ones',
    );
  });

  const DELIVERY = `
    insert into land.authorizations (entity_id, delivery_number, received_at, is_authorized, reason, body, body_sha256)
    select 'main', count(*) + 1, now(), true, 'every transaction is authorized', '{}', repeat('0', 64) from land.authorizations`;
  const RUN_ID = '00000000-0000-4000-8000-000000000009';
  const RUN = `insert into run.runs (run_id, job, started_at) values ('${RUN_ID}', 'nightly', now())`;

  test('by requests to the webhook, which no link covers yet', async () => {
    await books.pool.query(DELIVERY);
    const withOne = await writeLake();
    expect(await booksProofs(withOne)).toMatchObject([{ proof: REWRITTEN, first: null }]);
    await books.pool.query(DELIVERY);
    for (const dir of [withDecimals, withOne])
      expect(await booksProofs(dir)).toMatchObject([
        { proof: AMONG, first: null },
        { proof: REWRITTEN, unexamined: expect.stringContaining('changed'), first: null },
      ]);
  });

  test('by a run that is at work, or was killed', async () => {
    await books.pool.query(RUN);
    const proofs = await booksProofs(withDecimals);
    await books.pool.query('delete from run.runs where finished_at is null');
    expect(proofs).toMatchObject([
      { proof: AMONG, first: null },
      {
        proof: REWRITTEN,
        unexamined: `run ${RUN_ID} has not ended, so the books may have changed since the lake was written`,
        first: null,
      },
    ]);
  });

  test('of others are refused', async () => {
    const dir = copyOf(withDecimals);
    changeManifest(dir, (manifest) => Object.assign(manifest.lake.books, { books_id: 'other' }));
    await expect(booksProofs(dir)).rejects.toThrow('was written from other books (id other)');
  });
});
