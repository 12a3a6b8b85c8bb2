// The files of a batch of summaries. Its entries are read twice: once for the sums, which are all that memory holds, and once
// to link each entry to its line.
import type { Cell } from '../../database/database.ts';
import type { ManifestFile } from '../reports/manifest.ts';
import { type AccountSum, addSums } from './account-sums.ts';
import { journalNumber, type PackageEntry } from './package.ts';
import {
  type Batching,
  entryCells,
  fileNameOf,
  sideCells,
  type Written,
  writeLines,
  writeLinks,
  writePackage,
  writePart,
  writeTotals,
  writtenOf,
} from './package-files.ts';
import { type Item, partsOf } from './package-parts.ts';
import { bookingKey, type SumJournal, type SummaryCut, sumKey, sumsOf } from './summary-sums.ts';

/** The entries of a batch, in order: `first` looks at them, `last` stores them where they are not stored yet. */
type BatchEntries = {
  readonly first: () => AsyncIterable<PackageEntry>;
  readonly last: () => AsyncIterable<PackageEntry>;
};

/** Writes the files of a batch; `cut` is null if each entry is a journal of its own. Throws a UsageError if one is too large. */
export const writeBatchFiles = (
  batching: Batching,
  entries: BatchEntries,
  cut: SummaryCut | null,
): Promise<Written> =>
  cut === null ? writePackage(batching, entries.last()) : writeSummaries(batching, entries, cut);

/** Where each sum is: its journal, and the file and line of each booking that is not zero. */
type Places = ReadonlyMap<string, { readonly number: string; readonly lines: ReadonlyMap<string, Cell[]> }>;

const writeSummaries = async (
  batching: Batching,
  entries: BatchEntries,
  cut: SummaryCut,
): Promise<Written> => {
  const { folder, format, head } = batching;
  const files: ManifestFile[] = [];
  const sums = new Map<string, AccountSum>();
  const places = new Map<string, { number: string; lines: ReadonlyMap<string, Cell[]> }>();
  const lines: Cell[][] = [];
  const onItem = (item: Item<SumJournal>, line: number): void => {
    addSums(sums, format, item);
    lines.push(...placeLines(batching, item, { file: fileNameOf(batching, files.length + 1), line, places }));
  };
  const journals = await sumsOf(batching, cut, entries.first());
  for await (const part of partsOf(format, head, { journals, onItem })) {
    const file = await writePart(batching, part, files.length + 1);
    if (file) files.push(file);
  }
  const links = await writeLinks(folder, (add) =>
    linkEntries(batching, entries.last(), { cut, places, add }),
  );
  const tables = [links.file, await writeTotals(folder, sums), await writeLines(folder, lines)];
  return writtenOf([...files, ...tables], links.result, sums);
};

type LinePlace = {
  readonly file: string;
  readonly line: number;
  readonly places: Map<string, { number: string; lines: ReadonlyMap<string, Cell[]> }>;
};

/** The rows of batch_lines.csv for one journal; adds the place of each line to `places`. */
const placeLines = (
  { head }: Batching,
  { journal, rows }: Item<SumJournal>,
  { file, line, places }: LinePlace,
): Cell[][] => {
  const number = journalNumber(head, journal);
  const lines = new Map(journal.keys.map((key, i) => [key, [file, String(line + i + 1)]]));
  places.set(journal.key, { number, lines });
  return rows.flatMap(({ booking }, nth) =>
    booking.map((side) => [
      file,
      String(line + nth + 1),
      number,
      journal.day,
      journal.text,
      journal.streamsOf(booking),
      ...sideCells(side),
    ]),
  );
};

const ROWS_PER_WRITE = 5000;

/** Links every entry to the lines that it is in, in order; returns the number of entries. */
const linkEntries = async (
  { format, head }: Batching,
  entries: AsyncIterable<PackageEntry>,
  {
    cut,
    places,
    add,
  }: {
    readonly cut: SummaryCut;
    readonly places: Places;
    readonly add: (rows: readonly Cell[][]) => Promise<void>;
  },
): Promise<number> => {
  let pending: Cell[][] = [];
  let count = 0;
  for await (const entry of entries) {
    const { number = '', lines } = places.get(sumKey(entry, cut)) ?? {};
    const about = [number, ...entryCells(entry)];
    const bookings = format.bookings(entry.lines, head);
    if (bookings.length === 0) pending.push([null, null, ...about, null, null, null, null]);
    for (const booking of bookings) {
      const place = lines?.get(bookingKey(booking)) ?? [null, null];
      pending.push(...booking.map((side) => [...place, ...about, ...sideCells(side)]));
    }
    count += 1;
    if (pending.length < ROWS_PER_WRITE) continue;
    await add(pending);
    pending = [];
  }
  await add(pending);
  return count;
};
