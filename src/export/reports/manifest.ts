// The manifest: what an export is, how far it can be trusted, and what proves its files. Written last: a folder without
// one is not an export. Nothing in it comes from the clock.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical } from '../../base/json.ts';
import { packageRoot } from '../../base/root.ts';
import type { Conserved } from './conserved.ts';
import type { ProfileName } from './profile.ts';

export const MANIFEST = 'manifest.json';
/** What is read of one that somebody hands us. */
export const MANIFEST_BYTES_MAX = 50_000_000;

/**
 * One file: its rows without the header, the SHA-256 of its bytes in lower-case hex, its columns in order by their stable
 * names, and, in a profile that calls them otherwise, what it calls them. A workbook has its sheets instead.
 */
export type ManifestFile = {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
  readonly columns: readonly string[];
  readonly headings?: readonly string[];
  readonly sheets?: readonly ManifestSheet[];
};

/** One sheet of a workbook, by its name there, which is the report's. */
export type ManifestSheet = {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly string[];
  readonly headings: readonly string[];
};

/** A seal that an export rests on: `verify ledger --root` tells whether it still stands. */
export type SealReference = {
  readonly entity: string;
  readonly period: string;
  readonly seal_number: number;
  readonly root: string;
  readonly seal_sha256: string;
};

/**
 * The books of all entities of the export in one currency, exact amounts in plain notation: debits and credits of the
 * period (equal), and what each class of account holds at its end, debit positive (together zero).
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
  readonly again: boolean;
  readonly by: string;
  readonly at: string;
};

/** manifest.json. Instants are UTC text, `from` inclusive and `to` exclusive; `currency` is the reporting currency. */
export type Manifest = {
  readonly program: { readonly name: string; readonly version: string };
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  readonly currency: string;
  /** The books are those of the demo: a command on them has --demo. */
  readonly is_demo?: boolean;
  /** The period's end, or the watermark where that is earlier; null where nothing is proved. */
  readonly as_of: string | null;
  readonly sign_convention: string;
  readonly entities: readonly string[];
  /** Subaccounts that the gateway lists and of which nothing is read; null where no key was shown the list. */
  readonly entities_not_read: readonly string[] | null;
  readonly files: readonly ManifestFile[];
  readonly control_totals: readonly ControlTotal[];
  /** Of the records whose own time falls into the period: what was landed, and what became of it. */
  readonly conservation: readonly Conserved[];
  readonly format: string;
  readonly profile: ProfileName;
  /** By stream. */
  readonly rule_versions: Readonly<Record<string, string>>;
  /** SHA-256 of what decided on the figures: settings, reports, checks, closes, views, headings. */
  readonly configuration: Readonly<Record<string, string>>;
  /** The root of the tree over the rows of coverage.csv; null where a closed month was sealed without that report. */
  readonly coverage_root: string | null;
  /** Those of every closed month that lies within the period. */
  readonly seals: readonly SealReference[];
  /** What the cover must say: one person did both, items have no value. Absent where there is nothing to say. */
  readonly cautions?: readonly string[];
  /** Of a batch: which it is, and the SHA-256 of the account map that it was made with. */
  readonly batch?: BatchMark;
  readonly map_sha256?: string;
};

export const SIGN_CONVENTION =
  'Debit positive: what is owned or spent is positive, what is owed, equity and income are negative. ' +
  'Columns debit, credit, in and out have no sign. difference = reported - booked.';

/** Which program wrote an export: the package's name and version. */
export const programOf = (): Manifest['program'] => {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return { name, version };
};

/** A manifest as text: keys in canonical order, indented for people, a newline at the end. */
export const manifestText = (manifest: Manifest): string =>
  `${JSON.stringify(JSON.parse(canonical(manifest)), null, 2)}\n`;

/** A plain name: no file of ours lies in another folder. */
const NAME = /^[\w.-]+$/;

/** Reads a manifest, or returns the fault as a sentence. Fields that an earlier program did not write are absent. */
export const manifestIn = (text: string): Manifest | string => {
  const manifest = parsed(text);
  if (manifest === null) return 'is not JSON';
  if (manifest.program?.name !== programOf().name) return `was not written by ${programOf().name}`;
  const { files, entities, control_totals } = manifest;
  const isWhole = [files, entities, control_totals].every(Array.isArray);
  if (!isWhole || typeof manifest.period !== 'string')
    return 'lacks period, files, entities or control_totals';
  const odd = files?.find(
    ({ name, sha256, columns }) => !NAME.test(name) || !sha256 || !Array.isArray(columns),
  );
  return odd
    ? `describes a file in a way that no export does: ${JSON.stringify(odd).slice(0, 120)}`
    : (manifest as Manifest);
};

const parsed = (text: string): Partial<Manifest> | null => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
