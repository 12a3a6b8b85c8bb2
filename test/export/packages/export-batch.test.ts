// Export batches: each entry once, numbered without a gap, the same bytes when exported again, and in sum the books.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PACKAGE_NAMES, type PackageName } from '../../../src/export/packages/packages.ts';
import { reexportBatch } from '../../../src/export/packages/re-export.ts';
import { manifestText } from '../../../src/export/reports/manifest.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';
import { manifestOf } from '../../verify/report/stated.ts';
import { forget, idOf, makeValueWorld, tell } from '../value-world.ts';
import { ask, deskOf, hand, numbers, ofPackage, read, type Stand, summed } from './batches.ts';

let stand: Stand;
let books: TestDatabase;
let folder: string;

const OCTOBER = [
  '2026-10-03 buy assets:trading BTC 0.5 100.00',
  '2026-10-03 buy assets:trading EUR -100.1 -100.10',
  '2026-10-03 buy expenses:fees:trading EUR 0.1 0.1',
  '2026-10-04 in assets:pocket:p1 EUR 500 500',
  '2026-10-04 in equity:external:bank EUR -500 -500 own',
  '2026-10-05 out equity:external:blockchain BTC 0.1 20 third-party',
  '2026-10-05 out assets:trading BTC -0.1 -20',
  '2026-10-05 moved assets:pocket:p1 EUR -7 -7',
  '2026-10-05 moved assets:pocket:p2 EUR 7 7',
];

beforeAll(async () => {
  books = await freshDatabase();
  folder = newFolder();
  stand = { books, folder };
  await makeValueWorld(books);
  await tell(books, OCTOBER);
});
afterAll(() => books.close());

test('a blocker is reported with everything that it concerns, and uses up no number', async () => {
  const late = hand(stand, 'xero', { outDir: () => join(folder, 'foreign') });
  mkdirSync(join(folder, 'foreign'));
  writeFileSync(join(folder, 'foreign', 'mine.txt'), 'mine');
  await expect(late).rejects.toMatchObject({ exitCode: 64, message: expect.stringContaining('mine.txt') });
  const short = join(folder, 'short.csv');
  writeFileSync(
    short,
    'account,currency,counterparty_type,code,name,tax\nassets:trading,BTC,,1200,Bitcoin,Tax Exempt\n',
  );
  await expect(hand(stand, 'xero', { mapFile: short })).rejects.toMatchObject({
    exitCode: 64,
    message: `${short} has no line for 6 accounts: add them
  assets:pocket:p1 EUR  debit 500.00  credit 7.00
  assets:pocket:p2 EUR  debit 7.00  credit 0.00
  assets:trading EUR  debit 0.00  credit 100.10
  equity:external:bank EUR own  debit 0.00  credit 500.00
  equity:external:blockchain BTC third-party  debit 20.00  credit 0.00
  expenses:fees:trading EUR  debit 0.10  credit 0.00`,
  });
  await tell(books, [
    '2026-10-06 odd assets:trading BTC 1 1.005',
    '2026-10-06 odd assets:trading EUR -1 -1.005',
  ]);
  await expect(hand(stand, 'xero')).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('1.005 on assets:trading BTC'),
  });
  await forget(books, 'odd');
  await tell(books, [
    '2026-10-06 none assets:trading BTC 1 null',
    '2026-10-06 none assets:trading EUR -1 -1',
    '2026-10-06 nobody assets:trading ETH 1 null',
  ]);
  await books.pool.query(
    `insert into books.value_findings
     select 'main', $1, kind, severity, currency, '2026-10', 1 from (values ('no-lot', 'finding', 'BTC'), ('no-rate', 'finding', 'SOL'),
       ('no-rate', 'finding', 'BTC'), ('unknown-counterparty', 'note', 'BTC')) as it (kind, severity, currency)`,
    [idOf('none')],
  );
  await expect(hand(stand, 'xero')).rejects.toMatchObject({
    exitCode: 2,
    message: `2 entries have no value yet and cannot be exported: do what follows and run again (details: books.value_findings)
  1: no lot left of BTC (no-lot): npx tieout lots import says what came from outside, a counterparties rule whose it is, and npx tieout reopen uses what was booked late
  1: no rate of BTC, SOL (no-rate): bring one with npx tieout rates import
  1: no finding of their own; run nightly or rebuild, which value them again
  2026-10-06 trades none (entry ${idOf('none')}): assets:trading BTC
  2026-10-06 trades nobody (entry ${idOf('nobody')}): assets:trading ETH`,
  });
  await forget(books, 'nobody');
  await forget(books, 'none');
  await tell(books, [
    '2026-10-06 lame assets:trading BTC 1 1',
    '2026-10-06 lame assets:trading EUR -1 -0.99',
  ]);
  await expect(hand(stand, 'xero')).rejects.toThrow('it is 0.01 from balanced');
  await forget(books, 'lame');
  await expect(hand(stand, 'xero', { entity: undefined })).rejects.toThrow(
    'choose it with --entity, one of main, other',
  );
  await expect(hand(stand, 'datev', { datev: undefined })).rejects.toThrow('--datev CONSULTANT/CLIENT');
  expect(await numbers(stand)).toEqual([]);
});

test('a batch whose commit fails leaves neither folder nor number', async () => {
  await books.pool.query(`
    create function books.no() returns trigger language plpgsql as $$ begin raise exception 'the disk of the server is full'; end $$;
    create constraint trigger no after insert on decide.batches deferrable initially deferred for each row execute function books.no()`);
  await expect(hand(stand, 'xero')).rejects.toThrow('the disk of the server is full');
  await books.pool.query('drop trigger no on decide.batches');
  expect(() => read({ dir: join(folder, 'xero-1') }, 'manifest.json')).toThrow('ENOENT');
  expect(await numbers(stand)).toEqual([]);
});

const TOTALS: Record<PackageName, Record<string, string>> = {
  xero: { 1200: '8000', 1210: '-10010', 1220: '50000', 1000: '-50000', 3000: '2000', 6300: '10' },
  quickbooks: {
    Bitcoin: '8000',
    Trading: '-10010',
    Pockets: '50000',
    Bank: '-50000',
    'Third parties': '2000',
    Fees: '10',
  },
  datev: { 1200: '8000', 1210: '-10010', 1220: '50000', 1000: '-50000', 3000: '2000', 6300: '10' },
  holded: { 1200: '8000', 1210: '-10010', 1220: '50000', 1000: '-50000', 3000: '2000', 6300: '10' },
};

test.each(PACKAGE_NAMES)('%s receives every entry once, and the sums of the books', async (name) => {
  const batch = await hand(stand, name);
  if (batch === null) throw new Error('nothing was exported');
  expect(summed(name, [batch])).toEqual(TOTALS[name]);
  const number = PACKAGE_NAMES.indexOf(name) + 1;
  expect(batch.manifest.batch).toMatchObject({
    package: name,
    year: '2026',
    number,
    entries: 4,
    again: false,
  });
  expect(batch.manifest.map_sha256).toMatch(/^[0-9a-f]{64}$/);
  const links = read(batch, 'batch_entries.csv').toString().trim().split('\n');
  expect(new Set(links.slice(1).map((line) => line.split(',')[3]))).toEqual(
    new Set(['buy', 'in', 'out', 'moved'].map(idOf)),
  );
  const text = `${links.join('\n')}\n\n${read(batch, 'batch_totals.csv')}`;
  await expect(text).toMatchFileSnapshot(`../golden/packages/${name}.batch.txt`);
  expect(await hand(stand, name), 'nothing is exported twice').toBeNull();
});

test('a re-export has the same bytes under another name, whatever the books contain now, and is recorded', async () => {
  await tell(books, ['2026-10-07 late assets:trading BTC 1 5', '2026-10-07 late assets:trading EUR -5 -5']);
  for (const [i, name] of PACKAGE_NAMES.entries()) {
    const first = { dir: join(folder, `${name}-${i + 1}`) };
    const { outDir, ...rest } = ask(stand, name, { at: '2026-12-01T00:00:00.000Z', by: 'Grace' });
    const again = await reexportBatch(deskOf(stand), {
      ...rest,
      number: i + 1,
      outDir: ({ number }) => join(folder, `${name}-${number}-again`),
    });
    expect(again.manifest.batch).toMatchObject({ number: i + 1, again: true, by: 'Grace' });
    for (const { name: file } of ofPackage(again)) {
      expect(file).toMatch(/-again\.csv$/);
      expect(read(again, file).equals(read(first, file.replace('-again', '')))).toBe(true);
    }
  }
  const { rows } = await books.pool.query('select sum(copies)::int as copies from books.batches');
  expect(rows).toEqual([{ copies: 4 }]);
  const { outDir, ...rest } = ask(stand, 'xero');
  await expect(reexportBatch(deskOf(stand), { ...rest, outDir, number: 9 })).rejects.toThrow(
    'main has no batch 9 of 2026',
  );
  await expect(reexportBatch(deskOf(stand), { ...rest, outDir, number: 2 })).rejects.toThrow(
    'went to quickbooks',
  );
});

test('a batch is proved from its folder, and from its stored lines', async () => {
  for (const dir of [...PACKAGE_NAMES.map((name, i) => `${name}-${i + 1}`), 'datev-3-again']) {
    const place = join(folder, dir);
    const { manifest, proofs } = await verifyFolder(place);
    expect(proofs.filter(({ faults }) => faults !== '0')).toEqual([]);
    if (manifest === null) throw new Error('no manifest');
    const [again] = await verifyAgainstBooks(books.pool, place, { manifest, settings: {} });
    expect([again?.faults, again?.first]).toEqual(['0', null]);
  }
});

test('a batch whose manifest says anything else than the books stored with it is found', async () => {
  const manifest = manifestOf(join(folder, 'xero-1'));
  if (!manifest.batch) throw new Error('no batch');
  for (const other of [
    { batch: { ...manifest.batch, by: 'Mallory' } },
    { batch: { ...manifest.batch, at: '2026-11-03T09:00:00.000Z' } },
    { period: '2026-09' },
    { to: '2026-12-01T00:00:00.000Z' },
    { currency: 'USD' },
    { timezone: 'Europe/Madrid' },
    { format: 'holded' },
    { profile: 'excel-es' },
    { entities: ['main', 'other'] },
    { as_of: '2026-10-31T00:00:00.000Z' },
    { control_totals: [{ currency: 'EUR', debit: '1', credit: '1', closing: { assets: '1' } }] },
    { conservation: [{ stream: 'trades', landed: '1', booked: '1', rejected: '0', set_aside: {} }] },
    { seals: [{ entity: 'main', period: '2026-10', seal_number: 1, root: 'a', seal_sha256: 'b' }] },
    { cautions: ['one'] },
    { rule_versions: {} },
    { configuration: {} },
    { sign_convention: 'another' },
  ]) {
    const copy = join(newFolder(), 'copy');
    cpSync(join(folder, 'xero-1'), copy, { recursive: true });
    writeFileSync(join(copy, 'manifest.json'), manifestText({ ...manifest, ...other }));
    const [again] = await verifyAgainstBooks(books.pool, copy, { manifest: manifestOf(copy), settings: {} });
    expect([again?.faults, again?.first?.split(',')[0]], JSON.stringify(other)).toEqual([
      '1',
      'manifest.json',
    ]);
  }
});

/** A copy of a batch's folder in which the last 500.00 of a file is 500.01; with `isForged`, the manifest has its new SHA-256. */
const tampered = (dir: string, file: string, isForged: boolean): string => {
  const copy = join(newFolder(), 'copy');
  cpSync(join(folder, dir), copy, { recursive: true });
  const [bytes, manifest] = [file, 'manifest.json'].map((name) => readFileSync(join(copy, name), 'latin1'));
  const spoilt = bytes?.replace(/^(.*500[.,]0)0/s, '$11') ?? '';
  expect(spoilt).not.toBe(bytes);
  writeFileSync(join(copy, file), spoilt, 'latin1');
  const sha256 = (text = '') => createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex');
  if (isForged)
    writeFileSync(
      join(copy, 'manifest.json'),
      manifest?.replace(sha256(bytes), sha256(spoilt)) ?? '',
      'latin1',
    );
  return copy;
};

const faulty = async (dir: string): Promise<string[]> =>
  (await verifyFolder(dir)).proofs.filter(({ faults }) => faults !== '0').map(({ proof }) => proof);

test.each(PACKAGE_NAMES)('%s: an amount changed in any file of a batch is found', async (name) => {
  const dir = `${name}-${PACKAGE_NAMES.indexOf(name) + 1}`;
  const manifest = manifestOf(join(folder, dir));
  expect(manifest.files).toHaveLength(3);
  const sums = 'its lines sum to batch_totals.csv';
  for (const { name: file } of manifest.files) {
    const own = [
      ...(file.startsWith('batch_') ? [sums] : []),
      ...(file === 'batch_totals.csv' ? [] : ['each line of its files has the amounts of batch_entries.csv']),
    ];
    expect(await faulty(tampered(dir, file, false)), file).toEqual(['each has its SHA-256', ...own]);
    const forged = tampered(dir, file, true);
    expect(await faulty(forged), file).toEqual(own);
    const [again] = await verifyAgainstBooks(books.pool, forged, { manifest, settings: {} });
    expect([again?.faults, again?.first?.slice(0, file.length)]).toEqual(['2', file]); // the file, and the manifest
  }
});

test('an entry that changed after its export is corrected, so that all batches together equal the books', async () => {
  await forget(books, 'buy'); // corrected at its own instant
  await forget(books, 'out');
  await tell(books, [
    '2026-10-05 out equity:external:blockchain BTC 0.1 21 own',
    '2026-10-05 out assets:trading BTC -0.1 -21',
  ]);
  const batch = await hand(stand, 'xero');
  if (batch === null) throw new Error('nothing was exported');
  const file = read(batch, 'xero-2026-0005-1.csv').toString().replaceAll('\r\n', '\n');
  await expect(file).toMatchFileSnapshot('../golden/packages/xero.correction.txt');
  const file1 = { name: 'xero-2026-0001-1.csv', rows: 0, sha256: '', columns: [] };
  const first = { dir: join(folder, 'xero-1'), files: [file1] };
  expect(summed('xero', [first, batch])).toEqual({
    1200: '-1600',
    1210: '-500',
    1220: '50000',
    1000: '-47900',
  });
  expect(await hand(stand, 'xero')).toBeNull();
  expect(await numbers(stand)).toEqual(['1 xero', '2 quickbooks', '3 datev', '4 holded', '5 xero']);
});

test('Holded and DATEV: an earlier code of another length is refused before anything is written', async () => {
  const other = await freshDatabase();
  const there = { books: other, folder: newFolder() };
  try {
    await makeValueWorld(other);
    await tell(other, OCTOBER);
    for (const name of ['holded', 'datev'] as const) await hand(there, name);
    await forget(other, 'buy');
    for (const name of ['holded', 'datev'] as const) {
      const mapFile = join(there.folder, 'longer.csv');
      const map = readFileSync(join(there.folder, `${name}.csv`), 'utf8');
      writeFileSync(mapFile, map.replaceAll(/,(\d{4}),/g, ',$100,'));
      await expect(hand(there, name, { mapFile })).rejects.toMatchObject({
        exitCode: 64,
        message: expect.stringMatching(
          /has codes of one length.*: the map and earlier batches have .*120000.*, 1200/,
        ),
      });
    }
  } finally {
    await other.close();
  }
});

test('a correction uses the accounts of the exported entry, whatever the map contains now', async () => {
  const other = await freshDatabase();
  const there = { books: other, folder: newFolder() };
  try {
    await makeValueWorld(other);
    await tell(other, OCTOBER);
    const first = await hand(there, 'xero');
    await forget(other, 'buy');
    const mapFile = join(there.folder, 'other.csv');
    const map = readFileSync(join(there.folder, 'xero.csv'), 'utf8').replace('BTC,,1200', 'BTC,,1299');
    writeFileSync(mapFile, map);
    const second = await hand(there, 'xero', { mapFile });
    if (first === null || second === null) throw new Error('nothing was exported');
    expect(summed('xero', [first, second])).toEqual({
      1000: '-50000',
      1200: '-2000',
      1220: '50000',
      3000: '2000',
    });
  } finally {
    await other.close();
  }
});
