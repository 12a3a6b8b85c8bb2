// Reads the lines of a batch, entry by entry: those not exported yet from the books, or the stored lines of a batch.

import assert from 'node:assert/strict';
import type { Cell } from '../../database/database.ts';
import type { BoundSql } from '../../database/sql.ts';
import { eachRow, type Snapshot, text } from '../reports/snapshot.ts';
import type { AccountMap } from './account-map.ts';
import {
  centsOf,
  type EntryKind,
  type PackageEntry,
  type PackageLine,
  type Target,
  targetKey,
} from './package.ts';

/** A line before mapping: its value is the books' own text, null if unknown. */
type ValueLine = Pick<PackageLine, 'account' | 'currency' | 'counterpartyType' | 'units'> & {
  readonly value: string | null;
  /** The account to which an exported line was mapped; null for a line not exported yet. */
  readonly target: Target | null;
};

export type ValueEntry = Omit<PackageEntry, 'ordinal' | 'lines'> & { readonly lines: readonly ValueLine[] };

/** The entries of a statement whose rows are sorted by entry; memory holds two batches of rows at most. */
export async function* valueEntries(snapshot: Snapshot, query: BoundSql): AsyncGenerator<ValueEntry> {
  let open: (ValueEntry & { readonly lines: ValueLine[] }) | null = null;
  for await (const row of eachRow(snapshot, query)) {
    if (open !== null && open.id !== row.entry_id) {
      yield open;
      open = null;
    }
    open ??= { ...entryOf(row), lines: [] };
    open.lines.push(lineOf(row));
  }
  if (open !== null) yield open;
}

const entryOf = (row: Record<string, Cell>): Omit<ValueEntry, 'lines'> => ({
  id: text(row, 'entry_id'),
  day: text(row, 'day'),
  kind: text(row, 'kind') as EntryKind,
  stream: text(row, 'stream'),
  recordId: text(row, 'record_id'),
});

const lineOf = (row: Record<string, Cell>): ValueLine => ({
  account: text(row, 'account'),
  currency: text(row, 'currency'),
  counterpartyType: text(row, 'counterparty_type'),
  units: text(row, 'units'),
  value: row.value ?? null,
  target: typeof row.code === 'string' ? targetOf(row, row.code) : null,
});

const targetOf = (row: Record<string, Cell>, code: string): Target => ({
  code,
  name: text(row, 'name'),
  tax: text(row, 'tax'),
  dimension1: text(row, 'dimension1'),
  dimension2: text(row, 'dimension2'),
});

/** Entries mapped and numbered; entries without lines to book are skipped. */
export async function* mappedEntries(
  entries: AsyncIterable<ValueEntry>,
  find: AccountMap['find'],
): AsyncGenerator<PackageEntry> {
  let ordinal = 0;
  for await (const entry of entries) {
    const lines = mappedLines(entry, find);
    assert(lines !== null, `entry ${entry.id} was looked at before, and is another now`);
    if (lines.length === 0) continue;
    ordinal += 1;
    yield { ...entry, ordinal, lines };
  }
}

/**
 * The lines of an entry that book something. Lines without value are skipped, and so are lines of a correction that only
 * change the counterparty type on an account that does not move. Null if a line with a value has no account, or if a value
 * is not a whole number of cents.
 */
export const mappedLines = (
  { kind, lines: read }: ValueEntry,
  find: AccountMap['find'],
): PackageLine[] | null => {
  const valued = read.filter(({ value }) => centsOf(value ?? '') !== 0n);
  const booking = valued.map(({ value, target, ...line }): PackageLine | null => {
    const [cents, account] = [centsOf(value ?? ''), target ?? find(line)];
    return cents === null || account === null ? null : { ...line, ...account, cents };
  });
  if (!booking.every((line) => line !== null)) return null;
  return kind === 'new' ? booking : booking.filter((line) => movesIn(booking, line));
};

/** Whether the account that a line is mapped to moves at all in its entry. */
const movesIn = (lines: readonly PackageLine[], target: Target): boolean =>
  lines
    .filter((line) => targetKey(line) === targetKey(target))
    .reduce((sum, { cents }) => sum + cents, 0n) !== 0n;
