// A month with a thousand trades, and all that happens beside them, in the summaries of each package by the shipped chart of
// accounts: how many lines, equal to the books to the cent, and each entry within the lines that it is linked to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSql } from '../../../src/database/database.ts';
import { chartMap } from '../../../src/export/packages/chart-map.ts';
import { centsOf, type PackageEntry } from '../../../src/export/packages/package.ts';
import { PACKAGE_NAMES, type PackageName, packageOf } from '../../../src/export/packages/packages.ts';
import { writeBatchFiles } from '../../../src/export/packages/summary-files.ts';
import { SUMMARIES, type Summary } from '../../../src/export/packages/summary-span.ts';
import { mappedEntries, valueEntries } from '../../../src/export/packages/value-lines.ts';
import { openFolder, placeFolder, writeFileIn } from '../../../src/export/reports/folder.ts';
import { inSnapshot } from '../../../src/export/reports/snapshot.ts';
import { openStage, type Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';
import { HEAD } from './package-entries.ts';
import { trades } from './trades.ts';

const [FROM, TO] = ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'];
const OCTOBER = { first: '2026-10-01', last: '2026-10-31' };
const LINES_MAX = 300;

let stage: Stage;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const world = { seed: 7, entities: 1, days: 32, perDay: 100, until: TO };
  stage = await openStage(world, (end) => void ends.push(end));
  await stage.night();
  for (const name of PACKAGE_NAMES) read.set(name, await readEntries(name));
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** The entries of October for a package by the shipped chart, read once. */
const read = new Map<PackageName, readonly PackageEntry[]>();

const readEntries = (name: PackageName): Promise<PackageEntry[]> =>
  inSnapshot(stage.database.pool, async (snapshot) => {
    const { find } = await chartMap(snapshot, { entity: 'main', to: TO }, packageOf(name));
    const ask = { entity: 'main', package: name, from: FROM, to: TO, timezone: 'UTC' };
    const entries: PackageEntry[] = [];
    const rows = valueEntries(snapshot, loadSql('export/value_lines.sql', ask));
    for await (const entry of mappedEntries(rows, find)) entries.push(entry);
    return entries;
  });

/** The summary of entries, and the number of lines in the package's own files. */
const written = async (name: PackageName, summary: Summary, list: readonly PackageEntry[]) => {
  const entries = async function* () {
    for (const entry of list) yield entry;
  };
  const folder = await openFolder(join(newFolder(), 'batch'));
  const batching = { folder, format: packageOf(name), head: HEAD, isCopy: false };
  const cut = { summary, period: OCTOBER };
  const result = await writeBatchFiles(batching, { first: entries, last: entries }, cut);
  await writeFileIn(folder, 'manifest.json', (put) => put('{}'));
  await placeFolder(folder);
  const own = result.files.filter((file) => !file.name.startsWith('batch_'));
  return { ...result, dir: folder.target, lines: own.reduce((total, { rows }) => total + rows, 0) };
};

const entriesFor = (name: PackageName): readonly PackageEntry[] => read.get(name) ?? [];
const tradesFor = (name: PackageName) => entriesFor(name).filter(({ stream }) => stream === 'trades');

/** The same entries with one account for each class of assets, whatever its place. */
const byClass = (entries: readonly PackageEntry[]): PackageEntry[] =>
  entries.map((entry) => ({
    ...entry,
    lines: entry.lines.map((line) => {
      const [code, name] = [line.code.replace(/^(1[123])\d\d$/, '$100'), line.name.split(':')[0] ?? ''];
      return code === line.code && name === line.name ? line : { ...line, code, name };
    }),
  }));

/** What the books have by code, in cents, and the balances by code and stretch of time that are not zero. */
const booked = async (summary: Summary) => {
  const rows = await stage.rows(`
    select chart.code, date_trunc('${summary}', v.posted_at at time zone 'UTC')::text as stretch, sum(v.value)::text as value
    from books.value_postings v
    join books.chart_of_accounts_at('${TO}') as chart using (entity_id, account, currency)
    where v.entity_id = 'main' and v.posted_at >= '${FROM}' and v.posted_at < '${TO}'
    group by 1, 2 having sum(v.value) <> 0`);
  const totals = new Map<string, bigint>();
  for (const { code = '', value = '' } of rows)
    totals.set(code, (totals.get(code) ?? 0n) + (centsOf(value) ?? 0n));
  return { lines: rows.length, totals };
};

const codesOf = (totals: ReadonlyMap<string, bigint>): Record<string, bigint> =>
  Object.fromEntries([...totals].filter(([, cents]) => cents !== 0n).sort());

/** Sums by file, line and account of a file of the batch, in cents. */
const sumsOf = (dir: string, file: string): Map<string, bigint> => {
  const [head = '', ...rows] = readFileSync(join(dir, file), 'utf8').trim().split('\n');
  const columnOf = (name: string): number => head.split(',').indexOf(name) - head.split(',').length;
  const sums = new Map<string, bigint>();
  for (const cells of rows.map((row) => row.split(','))) {
    const key = `${cells[0]} ${cells[1]} ${cells.at(columnOf('code'))}`;
    const [debit, credit] = [cells.at(columnOf('debit')) || '0', cells.at(columnOf('credit')) || '0'];
    sums.set(key, (sums.get(key) ?? 0n) + (centsOf(debit) ?? 0n) - (centsOf(credit) ?? 0n));
  }
  return new Map([...sums].filter(([, cents]) => cents !== 0n));
};

test.each(SUMMARIES)('the whole month by %s: a line for each account that moved', async (summary) => {
  const wanted = await booked(summary);
  for (const name of PACKAGE_NAMES) {
    const { totals, lines, dir } = await written(name, summary, entriesFor(name));
    if (name !== 'quickbooks') expect(codesOf(totals)).toEqual(codesOf(wanted.totals)); // it names accounts
    if (name !== 'datev') expect(lines).toBe(wanted.lines); // it has a line for each pair of accounts
    if (summary === 'month' || (summary === 'week' && name !== 'datev'))
      expect(lines).toBeLessThan(LINES_MAX);
    expect(sumsOf(dir, 'batch_entries.csv')).toEqual(sumsOf(dir, 'batch_lines.csv'));
  }
});

describe.each(PACKAGE_NAMES)('%s: a thousand trades', (name) => {
  test.each(['week', 'month'] as const)('by %s, in fewer than 300 lines', async (summary) => {
    const { entries, lines, dir } = await written(name, summary, tradesFor(name));
    expect(entries).toBeGreaterThan(1_000);
    expect(lines).toBeLessThan(LINES_MAX);
    expect(sumsOf(dir, 'batch_entries.csv')).toEqual(sumsOf(dir, 'batch_lines.csv'));
  });

  test('by day, about a line a day for each account that they move', async () => {
    const { lines: accounts } = await written(name, 'month', tradesFor(name));
    const { lines } = await written(name, 'day', tradesFor(name));
    expect([accounts, lines]).toEqual(name === 'datev' ? [20, 369] : [12, 290]);
  });
});

test.each(PACKAGE_NAMES)(
  '%s: 10,000 trades made in memory by week, in fewer than 300 lines',
  async (name) => {
    const list: PackageEntry[] = [];
    for await (const entry of trades(name, 10_000)) list.push(entry);
    const { entries, lines, dir } = await written(name, 'week', list);
    expect(entries).toBeGreaterThan(10_000);
    expect(lines).toBeLessThan(LINES_MAX);
    expect(sumsOf(dir, 'batch_entries.csv')).toEqual(sumsOf(dir, 'batch_lines.csv'));
  },
);

test.each(PACKAGE_NAMES.filter((name) => name !== 'datev'))(
  '%s: a thousand trades by day, in fewer than 300 lines if a class of assets is one account',
  async (name) => {
    const { lines } = await written(name, 'day', byClass(tradesFor(name)));
    expect(lines).toBeLessThan(LINES_MAX);
  },
);
