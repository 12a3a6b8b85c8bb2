// The moment that an export shows, as the last run before it: the newest instant of its tie-outs says which run compared last, that of
// its coverage which one read last, and the entries of its journal which one booked last.
import { join } from 'node:path';
import { linesIn } from '../../base/named-file.ts';
import { isoOf, msOf, readInstant, SECOND_MS } from '../../base/time.ts';
import type { Database } from '../../database/connection.ts';
import { loadSql } from '../../database/database.ts';
import { JOURNALS } from '../../export/contents.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { bodyOf, type Table, withTables } from './tables.ts';

/** The columns of instants of which the newest names runs, and the query for them. */
const NAMING = {
  compared: { report: 'tie_outs', column: 'as_of', path: 'status/compared_by.sql' },
  proved: { report: 'coverage', column: 'covered_to', path: 'status/proved_by.sql' }, // an extract alone compares nothing
} as const;
type Naming = (typeof NAMING)[keyof typeof NAMING];

/**
 * The number of the last run whose comparisons, coverage or entries an export shows: several if it may be any of them, because they
 * compared the same balances, the last one first; none if it shows none.
 */
export const lastRunsOf = async (
  pool: Database['pool'],
  dir: string,
  manifest: Manifest,
): Promise<string[]> => {
  const booked = await bookedBy(pool, dir, manifest);
  const compared = await namedBy(pool, { dir, manifest, naming: NAMING.compared });
  const [proved = null] = await namedBy(pool, { dir, manifest, naming: NAMING.proved });
  const others = later(booked, proved);
  const runs = compared.length === 0 ? [others] : compared.map((run) => later(run, others));
  return [...new Set(runs)].filter((run) => run !== null);
};

type ShownColumn = { readonly dir: string; readonly manifest: Manifest; readonly naming: Naming };

const namedBy = async (pool: Database['pool'], shown: ShownColumn): Promise<string[]> => {
  const newest = await newestIn(shown);
  if (newest === null) return [];
  const { rows } = await pool.query<{ run_number: string | null }>(loadSql(shown.naming.path, newest));
  return rows.flatMap(({ run_number }) => run_number ?? []);
};

const bookedBy = (pool: Database['pool'], dir: string, manifest: Manifest): Promise<string | null> => {
  const text = manifest.files.find(({ name }) => JOURNAL_FILES.includes(name));
  if (text) return newestOf(pool, taggedIn(join(dir, text.name)));
  const files = manifest.files.filter(({ name, sheets }) => sheets || name === 'journal.csv');
  return withTables(dir, { ...manifest, files }, (tables) => newestOf(pool, listedIn(tables)));
};

const JOURNAL_FILES = Object.values(JOURNALS).map(({ file }) => file);

type ShownEntry = { readonly entity: string; readonly entry: string };
/** Entries that are looked up at once: their texts keep the text of their rows in memory. */
const SHOWN_MAX = 1_000;

/** The number of the run that booked the last of some entries. */
const newestOf = async (
  pool: Database['pool'],
  entries: AsyncIterable<ShownEntry>,
): Promise<string | null> => {
  const shown = new Map<string, string>();
  let last: string | null = null;
  const look = async () => {
    const values = { entities: [...shown.values()], entries: [...shown.keys()] };
    shown.clear();
    const { rows } = await pool.query<{ last_run: string | null }>(loadSql('status/booked_by.sql', values));
    last = later(last, rows[0]?.last_run ?? null);
  };
  for await (const { entity, entry } of entries) {
    if (UUID.test(entry)) shown.set(entry, entity);
    if (shown.size >= SHOWN_MAX) await look();
  }
  await look();
  return last;
};

const later = (one: string | null, other: string | null): string | null =>
  BigInt(other ?? -1) > BigInt(one ?? -1) ? other : one;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A tag of an entry in a journal for another program. */
const TAG = /^ +(?:; )?(entity|entry_id): "?([^"]*)"?$/;

async function* taggedIn(path: string): AsyncGenerator<ShownEntry> {
  let entity = '';
  for await (const line of linesIn(path)) {
    const [, name, value = ''] = TAG.exec(line) ?? [];
    if (name === 'entity') entity = value;
    if (name === 'entry_id') yield { entity, entry: value };
  }
}

async function* listedIn(tables: readonly Table[]): AsyncGenerator<ShownEntry> {
  for (const table of tables.filter(({ report }) => report === 'journal')) {
    const [entity, entry] = ['entity_id', 'entry_id'].map((name) => table.stated.columns.indexOf(name));
    try {
      for await (const rows of bodyOf(table, () => {}))
        for (const row of rows) yield { entity: row[entity ?? -1] ?? '', entry: row[entry ?? -1] ?? '' };
    } catch {
      return; // the comparison has named what cannot be read
    }
  }
}

/** The time of a clock in a timezone. */
type LocalTime = { readonly time: string; readonly timezone: string };

/** The newest instant in one column of an export. */
const newestIn = async ({ dir, manifest, naming }: ShownColumn): Promise<LocalTime | null> => {
  const files = manifest.files.filter(({ name, sheets }) => sheets || name === `${naming.report}.csv`);
  const read = (tables: readonly Table[]) => cellsIn(tables, naming);
  const cells = await withTables(dir, { ...manifest, files }, read).catch(() => []); // the comparison has named what cannot be read
  const newest = cells
    .flatMap((cell) => wholeSecond(cell) ?? [])
    .sort()
    .at(-1);
  if (newest === undefined) return null;
  const isUtc = manifest.profile === 'machine' && files.every(({ sheets }) => !sheets);
  return { time: newest.slice(0, -1), timezone: isUtc ? 'UTC' : manifest.timezone };
};

const cellsIn = async (tables: readonly Table[], { report: name, column }: Naming): Promise<string[]> => {
  const table = tables.find(({ report }) => report === name);
  const index = table?.stated.columns.indexOf(column) ?? -1;
  const found = new Set<string>();
  if (table && index >= 0)
    for await (const rows of bodyOf(table, () => {})) for (const row of rows) found.add(row[index] ?? '');
  return [...found];
};

/** An instant, or the date and time of a country. */
const WRITTEN = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d)[./](\d\d)[./](\d{4}))[ T](\d\d:\d\d:\d\d(?:\.\d+)?)Z?$/;

/** As an instant in UTC, rounded to the second: some have no fraction of it, and a date of a workbook may have a part of one. */
const wholeSecond = (cell: string): string | null => {
  const [, year, month, day, dayFirst, monthAfter, yearLast, time] = WRITTEN.exec(cell) ?? [];
  const instant = readInstant(`${year ?? yearLast}-${month ?? monthAfter}-${day ?? dayFirst}T${time}Z`);
  return instant && isoOf(Math.round(msOf(instant) / SECOND_MS) * SECOND_MS);
};
