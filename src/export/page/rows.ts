// Rows for the report page: one statement under sql/page; every cell is text, instants in UTC, booleans `yes` or null. Beside
// each id stands its label, as in the reports.

import {
  BOOLEAN,
  type Cell,
  type Column,
  instantText,
  loadSql,
  TIMESTAMPTZ,
} from '../../database/database.ts';
import { labelledIn } from '../reports/labels.ts';
import type { Reuse } from '../reports/reuse.ts';
import type { Snapshot } from '../reports/snapshot.ts';

/** A row as text, by column: amounts exact, instants in UTC. */
export type ReportRow = Readonly<Record<string, Cell>>;

/** Reads one file of sql/page row by row, so that rows beyond what the page shows never fill memory. */
export type ReadRows = (file: string, values: Readonly<Record<string, string>>) => AsyncGenerator<ReportRow>;

/** What takes long to read: an export takes it over from an earlier one if nothing that it rests on has changed. */
const LONG = ['moves', 'closing', 'values', 'months', 'fee_values', 'counterparties'];

/** A reader of one snapshot. */
export const rowsIn = (snapshot: Snapshot, reuse: Reuse): ReadRows => {
  const read = rowsFrom(snapshot);
  return async function* (file, values) {
    if (LONG.includes(file)) yield* await reuse.fact(file, () => allOf(read(file, values)));
    else yield* read(file, values);
  };
};

const rowsFrom = (snapshot: Snapshot): ReadRows =>
  async function* (file, values) {
    const labelled = await labelledIn(snapshot);
    for await (const batch of snapshot.batches(loadSql(`page/${file}.sql`, values))) {
      const { columns, rows } = labelled(batch);
      for (const row of rows)
        yield Object.fromEntries(columns.map((column, i) => [column.name, cellText(column, row[i] ?? null)]));
    }
  };

const cellText = ({ typeId }: Column, cell: Cell): Cell => {
  if (cell !== null && typeId === TIMESTAMPTZ) return instantText(cell);
  if (typeId === BOOLEAN) return cell === 't' ? 'yes' : null;
  return cell;
};

/** All rows of a statement with few rows. */
export const allOf = async (rows: AsyncGenerator<ReportRow>): Promise<ReportRow[]> => {
  const all: ReportRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
};
