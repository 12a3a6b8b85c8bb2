// The manifest: what an export contains, how far it is proved, and the digests of its files. It is written last: a folder
// without one is not an export. Nothing in it comes from the clock.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical } from '../../base/json.ts';
import { packageRoot } from '../../base/root.ts';
import type { Conserved } from './conserved.ts';
import { MANIFEST_SHAPE, oddFileFault } from './manifest-shape.ts';
import type { ProfileName } from './profile.ts';

export const MANIFEST = 'manifest.json';
/** The largest manifest that is read. */
export const MANIFEST_BYTES_MAX = 50_000_000;

/**
 * One file: its rows without the header, the SHA-256 of its bytes in lower-case hex, its columns in order by their stable
 * names, and its headings if the profile uses others. A workbook has its sheets instead.
 */
export type ManifestFile = {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
  readonly columns: readonly string[];
  readonly headings?: readonly string[];
  readonly sheets?: readonly ManifestSheet[];
};

/** A report in a workbook: the name of its first sheet, and of the report. */
type ManifestSheet = {
  readonly name: string;
  readonly report: string;
  readonly rows: number;
  readonly columns: readonly string[];
  readonly headings: readonly string[];
};

/** A seal that an export rests on; `verify ledger --root` checks that it still holds. */
export type SealReference = {
  readonly entity: string;
  readonly period: string;
  readonly seal_number: number;
  readonly root: string;
  readonly seal_sha256: string;
};

/**
 * The books of all entities of the export in one currency, exact amounts in plain notation: debits and credits of the
 * period (equal), and the balance of each class of account at its end, debit positive (their sum is zero).
 */
export type ControlTotal = {
  readonly currency: string;
  readonly debit: string;
  readonly credit: string;
  readonly closing: {
    readonly assets: string;
    readonly liabilities: string;
    readonly equity: string;
    readonly income: string;
    readonly expenses: string;
  };
};

/** An export batch for an accounting package; `again` marks a re-export of the same lines. */
export type BatchMark = {
  readonly package: string;
  readonly year: string;
  readonly number: number;
  readonly entries: number;
  /** The stretch of time whose entries are one journal; absent if each entry is a journal of its own. */
  readonly summary?: 'day' | 'week' | 'month';
  readonly again: boolean;
  readonly by: string;
  readonly at: string;
};

/** What a batch's manifest says of the books at the time of its export; stored with the batch, since they change. */
export type BatchFacts = Omit<
  Manifest,
  | 'program'
  | 'period'
  | 'from'
  | 'to'
  | 'timezone'
  | 'currency'
  | 'entities'
  | 'profile'
  | 'format'
  | 'files'
  | 'batch'
  | 'map_sha256'
>;

/** One table of a lake: its rows, the folders it is cut into, the columns of its files and DuckDB's word for their types. */
export type LakeTableFacts = {
  readonly name: string;
  readonly rows: number;
  readonly partitions: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Amounts that are text here, because a decimal of 38 digits does not hold one of them, or their sum. */
  readonly texts: readonly string[];
  /** All columns in the order of the view, those of the folders included. */
  readonly order: readonly string[];
};

/** The state of books: their id, the number of their chains of digests, and one digest over the ends of all and of what none covers yet. */
export type BooksState = {
  readonly books_id: string;
  readonly links: number;
  readonly links_sha256: string;
};

/** A lake: its tables, whether it has all months and all entities, and the books that it was written from. */
export type LakeFacts = {
  readonly tables: readonly LakeTableFacts[];
  readonly has_all_months: boolean;
  readonly has_all_entities: boolean;
  readonly books: BooksState;
};

/** manifest.json. Instants are UTC text, `from` inclusive and `to` exclusive; `currency` is the reporting currency. */
export type Manifest = {
  readonly program: { readonly name: string; readonly version: string };
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  readonly currency: string;
  /** The books are those of the demo: commands on them need --demo. */
  readonly is_demo?: boolean;
  /** The end of the period, or the watermark if that is earlier; null if nothing is proved. */
  readonly as_of: string | null;
  readonly sign_convention: string;
  readonly entities: readonly string[];
  /** Subaccounts that the gateway lists and this program does not read; null if no key was allowed to read the list. */
  readonly entities_not_read: readonly string[] | null;
  readonly files: readonly ManifestFile[];
  readonly control_totals: readonly ControlTotal[];
  /** Of the records whose own time falls in the period: how many were landed, and their outcomes. */
  readonly conservation: readonly Conserved[];
  readonly format: string;
  readonly profile: ProfileName;
  /** By stream. */
  readonly rule_versions: Readonly<Record<string, string>>;
  /** SHA-256 of everything that affects the figures: settings, reports, checks, closes, views, headings. */
  readonly configuration: Readonly<Record<string, string>>;
  /** The seals of every closed month within the period. */
  readonly seals: readonly SealReference[];
  /** Cautions for the cover: one person did both, value findings. Absent if there are none. */
  readonly cautions?: readonly string[];
  /** For a lake: its tables. Its files have no columns of their own. */
  readonly lake?: LakeFacts;
  /** For a batch: its number, and the SHA-256 of the account map that was used. */
  readonly batch?: BatchMark;
  readonly map_sha256?: string;
};

/** The manifest of a lake. */
export type LakeManifest = Manifest & { readonly lake: LakeFacts };

export const SIGN_CONVENTION =
  'Debit positive: what is owned or spent is positive, what is owed, equity and income are negative. ' +
  'Columns debit, credit, in and out have no sign. difference = reported - booked.';

/** The program that wrote an export: name and version of the package. */
export const programOf = (): Manifest['program'] => {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return { name, version };
};

/** A manifest as text: keys in canonical order, indented for people, a newline at the end. */
export const manifestText = (manifest: object): string =>
  `${JSON.stringify(JSON.parse(canonical(manifest)), null, 2)}\n`;

/** Reads a manifest, or returns the fault as a sentence. */
export const manifestIn = (text: string): Manifest | string => {
  const manifest = parsedManifest(text);
  if (manifest === null) return 'is not JSON, so something has changed it since: export again';
  if (manifest.program?.name !== programOf().name) return `was not written by ${programOf().name}`;
  const { files, entities, control_totals } = manifest;
  const isWhole = [files, entities, control_totals].every(Array.isArray);
  if (!isWhole || typeof manifest.period !== 'string')
    return 'lacks period, files, entities or control_totals';
  const odd = oddFileFault(files ?? []);
  if (odd !== null) return odd;
  const [issue] = MANIFEST_SHAPE.safeParse(manifest).error?.issues ?? [];
  if (issue !== undefined) return `describes ${issue.path.join('.')} in a way that no export does`;
  const isOdd = manifest.lake !== undefined && !isLake(manifest);
  return isOdd ? 'describes a lake in a way that no export does' : (manifest as Manifest);
};

/** A name of a table or column, and a word for a type: both become part of SQL. */
const WORD = /^[a-z][a-z0-9_]*$/;
const TYPE = /^[a-z]+(?:\(38,18\)|\[\])?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const isLake = ({ lake, from, to }: Partial<Manifest>): boolean =>
  Array.isArray(lake?.tables) &&
  typeof lake.books?.links_sha256 === 'string' &&
  [from, to].every((instant) => INSTANT.test(instant ?? '')) &&
  lake.tables.every(isTable);

const isTable = ({ name, columns, partitions, order, texts }: LakeTableFacts): boolean =>
  [columns, partitions, order, texts].every(Array.isArray) &&
  [name, ...partitions, ...order, ...columns.map((column) => column.name)].every((word) => WORD.test(word)) &&
  columns.every(({ type }) => TYPE.test(type));

/** The JSON of a manifest, unchecked; null if it is none. An editor may have put a byte order mark before it. */
export const parsedManifest = (text: string): Partial<Manifest> | null => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return null;
  }
};
