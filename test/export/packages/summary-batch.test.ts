// Batches of summaries in the books: each entry once beside other batches, the same bytes again, proved from their folder and from
// the books, and corrected later.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExportedBatch } from '../../../src/export/packages/export-batch.ts';
import { PACKAGE_NAMES, type PackageName } from '../../../src/export/packages/packages.ts';
import { reexportBatch } from '../../../src/export/packages/re-export.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';
import { forget, makeValueWorld, tell } from '../value-world.ts';
import { ask, deskOf, hand, ofPackage, read, type Stand, summed } from './batches.ts';

let stand: Stand;
let books: TestDatabase;
let folder: string;
const received = new Map<PackageName, ExportedBatch[]>();

/** Three purchases in two weeks, a deposit, and an entry of the next month. */
const ENTRIES = [
  '2026-10-03 one assets:trading BTC 0.5 100.00',
  '2026-10-03 one assets:trading EUR -100.1 -100.10',
  '2026-10-03 one expenses:fees:trading EUR 0.1 0.1',
  '2026-10-06 two assets:trading BTC 0.25 50',
  '2026-10-06 two assets:trading EUR -50 -50',
  '2026-10-09 three assets:trading BTC -0.125 -25.01',
  '2026-10-09 three assets:trading EUR 25.01 25.01',
  '2026-10-09 in assets:pocket:p1 EUR 500 500',
  '2026-10-09 in equity:external:bank EUR -500 -500 own',
  '2026-11-02 next assets:trading BTC 1 7',
  '2026-11-02 next assets:trading EUR -7 -7',
];

beforeAll(async () => {
  books = await freshDatabase();
  folder = newFolder();
  stand = { books, folder };
  await makeValueWorld(books);
  await tell(books, ENTRIES);
});
afterAll(() => books.close());

const receive = async (name: PackageName, more: Parameters<typeof hand>[2]): Promise<ExportedBatch> => {
  const batch = await hand(stand, name, more);
  if (batch === null) throw new Error('nothing was exported');
  received.set(name, [...(received.get(name) ?? []), batch]);
  return batch;
};

const lines = (batch: ExportedBatch): string[] =>
  read(batch, 'batch_lines.csv')
    .toString()
    .trim()
    .split('\n')
    .slice(1)
    .map((text) => text.replace(/^[^,]*,/, ''));

/** The sums of the books by the account map of these tests, in cents, as all batches of a package must have booked. */
const BOOKED = { 1200: '13199', 1210: '-13209', 1220: '50000', 1000: '-50000', 6300: '10' };

test.each(PACKAGE_NAMES)(
  '%s: a month in summaries, the next one entry by entry, each entry once',
  async (name) => {
    await receive(name, { summary: 'week', period: '2026-10' });
    await receive(name, { period: '2026-Q4' });
    expect(await hand(stand, name, { summary: 'day', period: '2026' })).toBeNull();
    const names = { 1200: 'Bitcoin', 1210: 'Trading', 1220: 'Pockets', 1000: 'Bank', 6300: 'Fees' };
    const wanted = Object.entries(BOOKED).map(([code, cents]) => [
      name === 'quickbooks' ? names[Number.parseInt(code, 10) as keyof typeof names] : code,
      cents,
    ]);
    expect(summed(name, received.get(name) ?? [])).toEqual(Object.fromEntries(wanted));
  },
);

test('a journal per week, dated on the last day that has an entry', async () => {
  const [first] = received.get('xero') ?? [];
  expect(first && lines(first)).toEqual([
    '2,2026-0001-00001,2026-10-03,"summary 2026-10-01..04, 1 entry",trades,1200,Bitcoin,100.00,',
    '3,2026-0001-00001,2026-10-03,"summary 2026-10-01..04, 1 entry",trades,1210,Trading,,100.10',
    '4,2026-0001-00001,2026-10-03,"summary 2026-10-01..04, 1 entry",trades,6300,Fees,0.10,',
    '5,2026-0001-00002,2026-10-09,"summary 2026-10-05..11, 3 entries",trades,1000,Bank,,500.00',
    '6,2026-0001-00002,2026-10-09,"summary 2026-10-05..11, 3 entries",trades,1200,Bitcoin,24.99,',
    '7,2026-0001-00002,2026-10-09,"summary 2026-10-05..11, 3 entries",trades,1210,Trading,,24.99',
    '8,2026-0001-00002,2026-10-09,"summary 2026-10-05..11, 3 entries",trades,1220,Pockets,500.00,',
  ]);
  expect(first?.manifest.batch).toMatchObject({ summary: 'week', entries: 4 });
  const { rows } = await books.pool.query(
    "select batch_number, summary from books.batches where package = 'xero' order by 1",
  );
  expect(rows.map(({ summary }) => summary)).toEqual(['week', null]);
});

test.each(PACKAGE_NAMES)(
  '%s: written again, the same bytes; proved from the folder and from the books',
  async (name) => {
    const [first] = received.get(name) ?? [];
    if (!first) throw new Error('no batch');
    const number = first.manifest.batch?.number ?? 0;
    const { outDir, summary, ...rest } = ask(stand, name, { at: '2026-12-01T00:00:00.000Z' });
    const again = await reexportBatch(deskOf(stand), {
      ...rest,
      number,
      outDir: () => join(folder, `${name}-again`),
    });
    for (const { name: file } of ofPackage(again))
      expect(read(again, file).equals(read(first, file.replace('-again', '')))).toBe(true);
    expect(read(again, 'batch_totals.csv').equals(read(first, 'batch_totals.csv'))).toBe(true);
    for (const { dir } of [first, again]) {
      const { manifest, proofs } = await verifyFolder(dir);
      expect(proofs.filter(({ faults }) => faults !== '0')).toEqual([]);
      if (manifest === null) throw new Error('no manifest');
      const [again] = await verifyAgainstBooks(books.pool, dir, { manifest, settings: {} });
      expect(again?.first).toBeNull();
    }
  },
);

test('a line whose entries do not sum to it is found, though the totals still agree', async () => {
  const [first] = received.get('xero') ?? [];
  const copy = join(newFolder(), 'copy');
  cpSync(first?.dir ?? '', copy, { recursive: true });
  const [file, manifest] = [join(copy, 'batch_entries.csv'), join(copy, 'manifest.json')];
  const before = readFileSync(file, 'utf8');
  const after = before
    .replace(/^(xero-2026-0001-1.csv),2,(.*),100.00,$/m, '$1,2,$2,100.01,')
    .replace(/^(xero-2026-0001-1.csv),6,(.*),50.00,$/m, '$1,6,$2,49.99,');
  writeFileSync(file, after);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(sha256(before), sha256(after)));
  const { proofs } = await verifyFolder(copy);
  expect(
    proofs.flatMap(({ proof, faults, first: fault }) =>
      faults === '0' ? [] : [`${proof} ${faults} ${fault}`],
    ),
  ).toEqual([
    'its entries sum to each of its lines 2 xero-2026-0001-1.csv, line 2, 1200 Bitcoin has 100 in batch_lines.csv, batch_entries.csv sums to 100.01',
    'each line of its files has the amounts of batch_entries.csv 2 xero-2026-0001-1.csv, line 2, account 1200: 0.01 less than its entries in batch_entries.csv',
  ]);
});

test.each(PACKAGE_NAMES)(
  '%s: an entry that changed after its summary is corrected in a summary of its own',
  async (name) => {
    if (name === 'xero') {
      await forget(books, 'two');
      await tell(books, [
        '2026-10-06 two assets:trading BTC 0.25 51',
        '2026-10-06 two assets:trading EUR -51 -51',
      ]);
    }
    const batch = await receive(name, { summary: 'month', period: '2026-10' });
    expect(batch.manifest.batch).toMatchObject({ summary: 'month', entries: 1 });
    expect(lines(batch)[0]).toContain('2026-10-06,"corrections 2026-10, 1 entry"');
    const sums = summed(name, received.get(name) ?? []);
    expect([
      sums[name === 'quickbooks' ? 'Bitcoin' : '1200'],
      sums[name === 'quickbooks' ? 'Trading' : '1210'],
    ]).toEqual(['13299', '-13309']);
    expect(await hand(stand, name, { summary: 'month', period: '2026' })).toBeNull();
  },
);
