// The manifest: what an export is, how far it can be trusted, and what proves its files. Written last: a folder without
// one is not an export. Nothing in it comes from the clock.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical } from '../json.ts';
import { packageRoot } from '../root.ts';
import type { Conserved } from './conservation.ts';

export const MANIFEST = 'manifest.json';

/** One file: its rows without the header, the SHA-256 of its bytes in lower-case hex, its columns in order. */
export type ManifestFile = {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
  readonly columns: readonly string[];
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

/** A batch handed out to an accounting package: `again` where it was handed out before, and these are the same lines. */
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
  /** The period's end, or the watermark where that is earlier; null where nothing is proved. */
  readonly as_of: string | null;
  readonly sign_convention: string;
  readonly entities: readonly string[];
  readonly files: readonly ManifestFile[];
  readonly control_totals: readonly ControlTotal[];
  /** Of the records whose own time falls into the period: what was landed, and what became of it. */
  readonly conservation: readonly Conserved[];
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
