// Memory: the peak of each command as a process of its own, over histories of growing size. It may depend on what a batch holds, not
// on how much there is.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { forget } from '../../src/normalize/normalize.ts';
import { forgetLows, forgetPaired } from '../../src/reconcile/reconcile.ts';
import { forgetValues } from '../../src/valuation/valuation.ts';
import { onBooks } from './books.ts';
import { command } from './command.ts';
import type { Figure } from './figure.ts';
import { type BenchOptions, type HistoryBooks, MONTH, withHistory } from './history.ts';

const SIZES = [10_000, 100_000, 1_000_000]; // entries over two years
/** Booking every record again takes minutes at the largest size, which is measured on demand (--records). */
const WRITING_MAX = 100_000;
const GROWTH_MAX = 1.3;
const PEAK_MB_MAX = 400;

const POSTINGS = 'select * from postings';
const { period } = MONTH;
const ENTITY = { xero: 'e0', quickbooks: 'e1', datev: 'e2', holded: 'e3' };

/** The batch of a month, of an entity of its own for each package. */
const batchWords = (format: keyof typeof ENTITY): readonly string[] =>
  `export --period ${period} --entity ${ENTITY[format]} --format ${format} --by Ada --map ${format}.csv --out ${format}`
    .concat(format === 'datev' ? ' --datev 29098/55003' : '')
    .split(' ');

/** What reads the books, by name. A table shows 10,000 rows at most; a journal has all entries before its end. */
const READING: Readonly<Record<string, readonly string[]>> = {
  status: ['status'],
  'breaks list': ['breaks', 'list'],
  'export csv': ['export', '--period', period, '--out', 'csv'],
  'export csv excel-es': ['export', '--period', period, '--profile', 'excel-es', '--out', 'csv-es'],
  'export xlsx': ['export', '--period', period, '--format', 'xlsx', '--out', 'xlsx'],
  'export hledger': ['export', '--period', '2026', '--format', 'hledger', '--out', 'hledger'],
  'export ledger': ['export', '--period', '2026', '--format', 'ledger', '--out', 'ledger'],
  'export beancount': ['export', '--period', '2026', '--format', 'beancount', '--out', 'beancount'],
  'export parquet': ['export', '--period', period, '--format', 'parquet', '--out', 'parquet'],
  'export xero': batchWords('xero'),
  'export quickbooks': batchWords('quickbooks'),
  'export datev': batchWords('datev'),
  'export holded': batchWords('holded'),
  'query csv': ['query', '--format', 'csv', POSTINGS],
  'query json': ['query', '--format', 'json', POSTINGS],
  'query table': ['query', '--format', 'table', POSTINGS],
  'verify report csv': ['verify', 'report', 'csv'],
  'verify report xlsx': ['verify', 'report', 'xlsx'],
  'verify coverage': ['verify', 'coverage'],
  'verify ledger': ['verify', 'ledger'],
  dump: ['dump', 'books.dump'],
};

/** What writes the books, after they forgot all that follows from the landed records. */
const WRITING: Readonly<Record<string, readonly string[]>> = {
  normalize: ['normalize'],
  rebuild: ['rebuild'],
  reconcile: ['reconcile'],
  close: ['close', '2025-01', '--by', 'Ada'],
};

type Peaks = Readonly<Record<string, number>>;

/** The peak of memory of each command at each size, beside the smallest. */
export const memory = async ({ server, records }: BenchOptions): Promise<Figure[]> => {
  const sizes = records === undefined ? SIZES : [SIZES[0] ?? records, records];
  const measured: { readonly entries: number; readonly peaks: Peaks }[] = [];
  for (const entries of sizes) {
    const isWriting = records !== undefined || entries <= WRITING_MAX;
    const peaks = await withHistory({ server, entries }, (books) => peaksOf(books, { entries, isWriting }));
    measured.push({ entries, peaks });
  }
  const [smallest] = measured;
  return Object.keys(smallest?.peaks ?? {}).map((what) =>
    memoryFigure(
      what,
      measured.flatMap(({ entries, peaks }) => (peaks[what] ? [{ entries, mb: peaks[what] }] : [])),
    ),
  );
};

const peaksOf = async (
  books: HistoryBooks,
  { entries, isWriting }: { readonly entries: number; readonly isWriting: boolean },
): Promise<Peaks> => {
  const peaks: Record<string, number> = {};
  const measure = async (what: string, words: readonly string[], place = books): Promise<void> => {
    const { peakMb, seconds } = await command(place, words);
    peaks[what] = peakMb;
    process.stderr.write(`${entries} entries, ${what}: ${peakMb.toFixed(0)} MB, ${seconds.toFixed(1)} s\n`);
  };
  for (const format of Object.keys(ENTITY)) writeFileSync(join(books.home, `${format}.csv`), mapFor(format));
  for (const [what, words] of Object.entries(READING)) await measure(what, words);
  await restored(books, (place) => measure('restore', ['restore', join(books.home, 'books.dump')], place));
  if (!isWriting) return peaks;
  await forgetAll(books);
  for (const [what, words] of Object.entries(WRITING)) await measure(what, words);
  return peaks;
};

/** Accounts of a package for every account of the history. */
const mapFor = (format: string): string => {
  const accounts = [
    'assets:trading',
    'assets:clearing:trading',
    'equity:conversion',
    'equity:external:*',
    'expenses:*',
    '*',
  ];
  const tax = format === 'xero' ? 'Tax Exempt' : '';
  const lines = accounts.map((account, index) => `${account},,,${1_000 + index},Account ${index},${tax}`);
  return ['account,currency,counterparty_type,code,name,tax', ...lines, ''].join('\n');
};

/** Lends empty, migrated books beside the measured ones. */
const restored = ({ isOwn }: HistoryBooks, use: (books: HistoryBooks) => Promise<void>): Promise<void> =>
  onBooks(isOwn ? 'embedded' : 'oldest', async ({ home, databaseUrl }, url) => {
    await migrate(url);
    await use({ home, url, isOwn: databaseUrl === null });
  });

const forgetAll = async ({ url }: HistoryBooks): Promise<void> => {
  const { db, close } = openDatabase(url);
  try {
    await forgetValues(db, { currency: 'EUR' });
    await forget(db);
    await forgetPaired(db);
    await forgetLows(db);
  } finally {
    await close();
  }
};

type Measured = { readonly entries: number; readonly mb: number };

const memoryFigure = (what: string, peaks: readonly Measured[]): Figure => {
  const [small, large] = [peaks[0]?.mb ?? 0, Math.max(...peaks.map(({ mb }) => mb))];
  return {
    what: `memory of ${what}, ${peaks.map(({ entries }) => entries).join(', ')} entries`,
    figure: `${peaks.map(({ mb }) => mb.toFixed(0)).join(', ')} MB: ${(large / small).toFixed(2)}`,
    limit: `at most ${GROWTH_MAX} times the smallest, and ${PEAK_MB_MAX} MB`,
    isKept: large <= GROWTH_MAX * small && large <= PEAK_MB_MAX,
  };
};
