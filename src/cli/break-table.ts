// The list of breaks as a table: all columns, or those that fit the terminal.
import type { BreakRow } from '../actions/breaks.ts';
import { standsAs } from './break-page.ts';
import { table } from './print.ts';
import { type Cell, shortIds } from './table-layout.ts';
import { type Tone, tableWidth } from './terminal.ts';

type BreakColumn = readonly [name: string, cell: (row: BreakRow) => Cell];

/** The tone of a break: a waived one no longer counts; a small one is a warning. */
const toneOf = ({ status, severity }: BreakRow): Tone => {
  if (status === 'waived' || status === 'resolved') return 'good';
  return severity === 'low' ? 'warning' : 'bad';
};

const severity: BreakColumn = ['severity', (row) => ({ text: row.severity ?? '', tone: toneOf(row) })];
const due: BreakColumn = [
  'due',
  (row) => `${row.due_at?.slice(0, 10) ?? ''}${row.is_overdue ? ' overdue' : ''}`,
];

const ALL: readonly BreakColumn[] = [
  ['break', (row) => row.break_id],
  severity,
  ['entity', (row) => row.entity_id],
  ['check', (row) => row.check_name],
  ['subject', (row) => row.subject],
  ['difference', (row) => row.difference],
  ['value', (row) => row.value],
  ['days', (row) => row.age_days],
  due,
  ['status', standsAs],
  ['assigned to', (row) => row.assigned_to],
  ['reason', (row) => (row.explanation === null ? row.reason : `${row.explanation} (${row.explained_by})`)],
];

const ID_LENGTH = 8;

/** The columns that identify and weigh a break; the id's prefix is enough for `breaks show`. */
const SHORT: readonly BreakColumn[] = [
  ['break', (row) => row.break_id.slice(0, ID_LENGTH)],
  severity,
  ['entity', (row) => row.entity_id.slice(0, ID_LENGTH)],
  ['subject', (row) => shortIds(row.subject.replace(/^assets:/, ''))],
  ['difference', (row) => row.difference],
  ['value', (row) => row.value],
];

const MORE: readonly BreakColumn[] = [['days', (row) => row.age_days], due, ['status', standsAs]];
const MORE_WIDTH = 115;

const columnsFor = (width: number | null): readonly BreakColumn[] => {
  if (width === null) return ALL;
  return width < MORE_WIDTH ? SHORT : [...SHORT, ...MORE];
};

export const breaksTable = (rows: readonly BreakRow[]): string => {
  const columns = columnsFor(tableWidth());
  return table(
    columns.map(([name]) => name),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  );
};

/** The table of breaks and, on a terminal, how to see more. */
export const breaksText = (rows: readonly BreakRow[]): string => {
  if (rows.length === 0) return 'no breaks';
  const more = '\n\nMore: npx tieout breaks show ID · npx tieout breaks list --wide';
  return `${breaksTable(rows)}${tableWidth() === null ? '' : more}`;
};
