// Compares two exports file by file, and finds where a file first diverges.
import { join } from 'node:path';
import { linesIn, streamOf } from '../../base/named-file.ts';
import { withCodes } from '../../base/unseen.ts';
import { MANIFEST } from '../../export/contents.ts';
import type { PackageFormat } from '../../export/packages/package.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { cellsOf, packageForm, textOf } from './package-text.ts';
import { type Table, withTables } from './tables.ts';

/** `expected` is the folder that the books wrote again, `found` the one under verification. */
type Folders = { readonly expected: string; readonly found: string };

/**
 * For each file that differs, its first difference: line, column, expected and found text. Both folders must hold every
 * file. `names` defaults to the files of the manifest and the manifest itself.
 */
export const differencesOf = async (
  folders: Folders,
  manifest: Manifest,
  names: readonly string[] = [...manifest.files.map(({ name }) => name), MANIFEST],
): Promise<string[]> => {
  const differences: string[] = [];
  for (const name of names) {
    const byte = await firstByte(join(folders.expected, name), join(folders.found, name));
    if (byte === null) continue;
    differences.push(
      (await rowOf(folders, manifest, name)) ??
        (await lineOf(folders, manifest, name)) ??
        `${name}, byte ${byte}${isText(name) ? LINE_BREAKS : ''}`,
    );
  }
  return differences;
};

const isText = (name: string): boolean => !name.endsWith('.xlsx');

/** What is left if the lines of a text are equal. */
const LINE_BREAKS = ': only its line breaks differ, as an editor or a transfer that converts them leaves it';

/** The first byte, counted from 1, at which two files diverge; null if they are equal. */
const firstByte = async (one: string, other: string): Promise<number | null> => {
  const theirs = await bytesOf(other);
  let offset = 0;
  try {
    for await (const chunk of (await streamOf(one)) as AsyncIterable<Buffer>) {
      const there = await theirs.take(chunk.length);
      if (!chunk.equals(there)) return offset + chunk.findIndex((byte, index) => byte !== there[index]) + 1;
      offset += chunk.length;
    }
    return (await theirs.take(1)).length > 0 ? offset + 1 : null;
  } finally {
    theirs.end();
  }
};

/** Reads a file a given number of bytes at a time; fewer at its end. */
const bytesOf = async (path: string) => {
  const stream = await streamOf(path);
  const chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let buffered = Buffer.alloc(0);
  const take = async (length: number): Promise<Buffer> => {
    while (buffered.length < length) {
      const { value, done } = await chunks.next();
      if (done) break;
      buffered = Buffer.concat([buffered, value]);
    }
    const taken = buffered.subarray(0, length);
    buffered = buffered.subarray(length);
    return taken;
  };
  return { take, end: () => stream.destroy() };
};

/** Where the tables of a file diverge, by row and column; null if their cells are equal or the file is not a table. */
const rowOf = async (
  { expected, found }: Folders,
  manifest: Manifest,
  name: string,
): Promise<string | null> => {
  const only = { ...manifest, files: manifest.files.filter((file) => file.name === name) };
  return withTables(expected, only, (ours) =>
    withTables(found, only, (theirs) => rowDifference(ours, theirs)),
  );
};

/** The columns of a row that are not compared. */
export type LeftOut = (table: Table, row: readonly string[]) => ReadonlySet<string>;

/** The same for some reports, whatever file they are in, without some of their columns. */
export const reportDifferences = (
  { expected, found }: Folders,
  manifests: { readonly expected: Manifest; readonly found: Manifest },
  { reports, leftOut }: { readonly reports: readonly string[]; readonly leftOut: LeftOut },
): Promise<string[]> =>
  withTables(expected, manifests.expected, (all) =>
    withTables(found, manifests.found, async (others) => {
      const differences: string[] = [];
      for (const report of reports) {
        const [ours, theirs] = [all, others].map((tables) =>
          tables.filter((table) => table.report === report),
        );
        const difference = await rowDifference(ours ?? [], theirs ?? [], leftOut);
        if (difference !== null) differences.push(difference);
      }
      return differences;
    }),
  );

const rowDifference = async (
  ours: readonly Table[],
  theirs: readonly Table[],
  leftOut: LeftOut = () => new Set(),
): Promise<string | null> => {
  for (const [index, table] of ours.entries()) {
    const other = theirs[index];
    if (!other) return `${table.file} is missing`;
    const where = await tableDifference(table, other, leftOut).catch((error: Error) => `: ${error.message}`);
    if (where) return `${table.file}${where}`;
  }
  const more = theirs[ours.length];
  return more ? `${more.file} is one too many` : null;
};

const tableDifference = async (expected: Table, found: Table, leftOut: LeftOut): Promise<string | null> => {
  const theirs = rowsOf(found);
  let line = 1;
  try {
    for await (const row of rowsOf(expected)) {
      const { value: other } = await theirs.next();
      if (!other) return `, line ${line}: expected ${shown(row.join(','))}, found the end`;
      const left = leftOut(expected, row);
      const isCompared = (index: number) => !left.has(expected.stated.columns[index] ?? '');
      const columnIndex = firstDifference(row, other, isCompared);
      if (columnIndex >= 0) {
        const column = expected.stated.columns[columnIndex] ?? `number ${columnIndex + 1}`;
        return `, line ${line}, column ${column}: ${bothShown(row[columnIndex], other[columnIndex])}`;
      }
      line += expected.linesOf(row);
    }
    const { value: more } = await theirs.next();
    return more ? `, line ${line}: expected the end, found ${shown(more.join(','))}` : null;
  } finally {
    await theirs.return(undefined);
  }
};

const firstDifference = (
  one: readonly string[],
  other: readonly string[],
  isCompared: (index: number) => boolean,
): number => {
  const longer = one.length >= other.length ? one : other;
  return longer.findIndex((_, index) => isCompared(index) && one[index] !== other[index]);
};

async function* rowsOf({ rows }: Table): AsyncGenerator<string[], undefined> {
  for await (const piece of rows()) yield* piece;
}

/** Lines are compared byte by byte, whatever their encoding: a DATEV file is in CP1252. */
const lineOf = async (
  { expected, found }: Folders,
  manifest: Manifest,
  name: string,
): Promise<string | null> => {
  if (!isText(name)) return null;
  const form = packageForm(manifest, name);
  const theirs = linesIn(join(found, name), 'latin1');
  try {
    let line = 0;
    for await (const ours of linesIn(join(expected, name), 'latin1')) {
      line += 1;
      const { value: other } = await theirs.next();
      if (ours === other) continue;
      const cellsForm = form !== null && line > form.headLines ? form : null;
      return `${name}, line ${line}${placeShown(textOf(ours), other && textOf(other), cellsForm)}`;
    }
    const { value: more } = await theirs.next();
    return more === undefined
      ? null
      : `${name}, line ${line + 1}: expected the end, found ${shown(textOf(more))}`;
  } finally {
    await theirs.return(undefined);
  }
};

/** What differs between two lines, after the name of its column if both have the cells of a package's form. */
const placeShown = (expected: string, found: string | undefined, form: PackageFormat | null): string => {
  const [ours = [], theirs = []] = [expected, found ?? ''].map((text) =>
    form === null ? [] : cellsOf(text, form.delimiter),
  );
  const index = ours.length === theirs.length ? firstDifference(ours, theirs, () => true) : -1;
  const column = form?.limits.columns[index];
  return column === undefined
    ? `: ${bothShown(expected, found)}`
    : `, column ${column}: ${bothShown(ours[index], theirs[index])}`;
};

/** The same stretch of both texts, with the place where they diverge. */
const bothShown = (expected: string | undefined, found: string | undefined): string => {
  const [one, other] = [expected ?? '', found ?? ''];
  const to = Math.min(divergence(one, other) + SHOWN / 2, Math.max(one.length, other.length));
  const from = Math.max(0, to - SHOWN);
  return `expected ${shown(expected, from)}, found ${shown(found, from)}`;
};

const divergence = (one: string, other: string): number => {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  return place;
};

const SHOWN = 100;
const shown = (text: string | undefined, from = 0): string => {
  if (text === undefined) return 'the end';
  const part = text.slice(from, from + SHOWN);
  return JSON.stringify(withCodes(`${from > 0 ? '…' : ''}${part}${from + SHOWN < text.length ? '…' : ''}`));
};
