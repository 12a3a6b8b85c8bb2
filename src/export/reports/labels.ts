// Labels in reports: one rule for all of them. A column with ids has a column with their labels after it, empty without one.

import { type Cell, type Column, loadSql, type RowBatch } from '../../database/database.ts';
import { rowsOf, type Snapshot, text } from './snapshot.ts';

/** What a column of ids holds, and the name of the column beside it. */
const BESIDE: Readonly<Record<string, { readonly kind: string; readonly column: string }>> = {
  entity_id: { kind: 'entity', column: 'entity_name' },
  lot_entity_id: { kind: 'entity', column: 'lot_entity_name' },
  partner_id: { kind: 'entity', column: 'partner_name' },
  account: { kind: 'account', column: 'account_label' },
  across: { kind: 'account', column: 'across_label' },
  counterparty: { kind: 'counterparty', column: 'counterparty_label' },
};

/** The names of all columns of labels. */
export const LABEL_COLUMNS: ReadonlySet<string> = new Set(Object.values(BESIDE).map(({ column }) => column));

type Labelled = (batch: RowBatch) => RowBatch;

const known = new WeakMap<Snapshot, Promise<Labelled>>();

/** Adds the labels of a snapshot to rows; they are read once. */
export const labelledIn = (snapshot: Snapshot): Promise<Labelled> => {
  const labelled = known.get(snapshot) ?? readLabels(snapshot);
  known.set(snapshot, labelled);
  return labelled;
};

/** Postgres's oid of text. */
const TEXT_OID = 25;

const readLabels = async (snapshot: Snapshot): Promise<Labelled> => {
  const labels = new Map<string, Map<string, string>>();
  for (const row of await rowsOf(snapshot, loadSql('export/labels.sql'))) {
    const ofKind = labels.get(text(row, 'kind')) ?? new Map<string, string>();
    labels.set(text(row, 'kind'), ofKind.set(text(row, 'id'), text(row, 'label')));
  }
  return ({ columns, rows }) => {
    const beside = columns.map(({ name }) => BESIDE[name]);
    const maps = beside.map((one) => one && (labels.get(one.kind) ?? NONE));
    return {
      columns: columns.flatMap((column, index): Column[] => {
        const added = beside[index];
        return added === undefined ? [column] : [column, { name: added.column, typeId: TEXT_OID }];
      }),
      rows: rows.map((row) => labelledRow(row, maps)),
    };
  };
};

const NONE: ReadonlyMap<string, string> = new Map();

const labelledRow = (
  row: readonly Cell[],
  maps: readonly (ReadonlyMap<string, string> | undefined)[],
): Cell[] => {
  const cells: Cell[] = [];
  row.forEach((cell, index) => {
    cells.push(cell);
    const labels = maps[index];
    if (labels !== undefined) cells.push((cell !== null && labels.get(cell)) || null);
  });
  return cells;
};
