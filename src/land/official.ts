// Official rates: files in the format of the European Central Bank's reference rates, imported by a person and stored line
// by line under the SHA-256 of the file. A later file's rate of a day replaces an earlier one's.
import { type Kysely, sql } from 'kysely';
import { bytesOf, type CsvLine, csvLines } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { inBatches } from '../base/group.ts';
import { sha256 } from '../base/json.ts';
import { readRate } from '../base/money.ts';
import { readInstant } from '../base/time.ts';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

/** Units of a currency for one euro, on a day. */
type OfficialRate = { readonly currency: string; readonly day: string; readonly rate: string };

export type OfficialFile = {
  readonly name: string;
  readonly sha256: string;
  readonly rates: readonly OfficialRate[];
  readonly days: number;
  /** Cells that are empty or N/A. */
  readonly missing: number;
};

const QUOTE = 'EUR';
const FORM = 'its first line must be Date,USD,JPY,… as in eurofxref-hist.csv';

/** Reads a file. Throws a UsageError that names the wrong line. */
export const readOfficial = (path: string): OfficialFile => {
  const bytes = bytesOf(path);
  const [head, ...lines] = csvLines(path, bytes, (column) => column !== 'date');
  if (!head) throw new UsageError(`${path}: is empty: ${FORM}`);
  const currencies = currenciesIn(path, head);
  if (lines.length === 0) throw new UsageError(`${path}: has a header and no lines: add at least one line`);
  const cells = lines.flatMap((line) => cellsOf(path, currencies, line));
  const rates = cells.filter((cell): cell is OfficialRate => cell.rate !== null);
  const days = lines.map(({ cells: [day] }) => day?.trim());
  const seen = new Set<string | undefined>();
  const twice = days.findIndex((day) => seen.size === seen.add(day).size);
  if (twice >= 0) throw new UsageError(`${path}: line ${lines[twice]?.line}: ${days[twice]} appears twice`);
  const name = path.replace(/^.*[\\/]/, '');
  return { name, sha256: sha256(bytes), rates, days: days.length, missing: cells.length - rates.length };
};

/** The codes of the header. */
const currenciesIn = (path: string, { line, cells }: CsvLine): string[] => {
  const [date, ...codes] = cells.map((cell) => cell.trim());
  const isFine = date === 'Date' && codes.length > 0 && new Set(codes).size === codes.length;
  if (!isFine || !codes.every((code) => /^[A-Z]{3}$/.test(code)))
    throw new UsageError(`${path}: line ${line} names ${cells.join(',').slice(0, 120)}: ${FORM}`);
  if (codes.includes(QUOTE))
    throw new UsageError(
      `${path}: line ${line} names ${QUOTE}, and the rates are units for one ${QUOTE}: remove the column if it is 1 throughout; otherwise the file has another base`,
    );
  return codes;
};

type RateCell = { readonly currency: string; readonly day: string; readonly rate: string | null };

const cellsOf = (path: string, currencies: readonly string[], { line, cells }: CsvLine): RateCell[] => {
  const day = cells[0]?.trim() ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || readInstant(`${day}T00:00:00Z`) === null)
    throw new UsageError(`${path}: line ${line}: "${day.slice(0, 40)}" is not a date: write 2026-10-01`);
  return currencies.map((currency, index) => {
    const cell = cells[index + 1]?.trim() ?? '';
    const rate = /^[\d.]+$/.test(cell) ? readRate(cell) : null; // 1.2E+05 is what a narrow column has left of a figure
    if (rate === null && !['', 'N/A'].includes(cell))
      throw new UsageError(
        `${path}: line ${line}: ${currency} is "${cell.slice(0, 40)}": write a positive number in digits with a point, or N/A`,
      );
    return { currency, day, rate };
  });
};

/** The id of the newest file, 0 if there is none. */
export const newestFile = async (db: Kysely<DB>): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select coalesce(max(file_id), 0)::text as id from land.official_files`.execute(db);
  return rows[0]?.id ?? '0';
};

/** A file's rates as text, one day a line, such as `2026-10-01 USD 1.17 JPY 175.2`. */
export type RatesText = {
  readonly base: string;
  readonly file_name: string;
  readonly file_sha256: string;
  readonly days: readonly string[];
};

/** A file's rates as proposed; null if the newest file has the same rates. */
export const ratesText = async (
  db: Kysely<DB>,
  { name, sha256: digest, rates }: OfficialFile,
): Promise<RatesText | null> => {
  const newest = await db
    .selectFrom('land.official_files')
    .select('sha256')
    .orderBy('file_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.sha256 === digest) return null;
  const days = new Map<string, string[]>();
  for (const { day, currency, rate } of rates) days.set(day, [...(days.get(day) ?? [day]), currency, rate]);
  return {
    base: await newestFile(db),
    file_name: name,
    file_sha256: digest,
    days: [...days.values()].map((words) => words.join(' ')),
  };
};

const ratesIn = ({ days }: RatesText): OfficialRate[] =>
  days.flatMap((line) => {
    const [day = '', ...words] = line.split(' ');
    return words.flatMap((currency, index) =>
      index % 2 === 0 ? [{ day, currency, rate: words[index + 1] ?? '' }] : [],
    );
  });

type Import = {
  readonly entity: string;
  readonly by: string;
  readonly at: string;
  readonly proposalId: string;
};

const BATCH = 10_000;

/** Stores a file's rates after approval. */
export const importOfficial = async (
  tx: Kysely<DB>,
  file: RatesText,
  { entity, by, at: importedAt, proposalId }: Import,
): Promise<void> => {
  const about = {
    name: file.file_name,
    sha256: file.file_sha256,
    by_name: by,
    at: importedAt,
    proposal_id: proposalId,
  };
  const { file_id: fileId } = await tx
    .insertInto('land.official_files')
    .values({ entity_id: entity, source: 'ecb', ...about })
    .returning('file_id')
    .executeTakeFirstOrThrow();
  const rates = ratesIn(file);
  for (const batch of inBatches(rates, BATCH))
    await insertRows(
      tx,
      'land.official_rates',
      batch.map((rate) => ({ ...rate, entity_id: entity, file_id: fileId, quote: QUOTE })),
    );
};
