// The tables of a lake: the views of schema books with their columns, how each is cut into partitions, and the statement that
// reads it in an order that does not depend on the database.
import assert from 'node:assert/strict';
import type { BoundSql } from '../../database/sql.ts';
import { currencyOf } from './currencies.ts';
import { quoted } from './duckdb.ts';
import { DECIMAL, type ParquetColumn } from './parquet.ts';

type ViewColumn = { readonly name: string; readonly type: string };

/** One view. `keys` are the columns that become folders, in order: `entity_id`, and `month` if it has one. */
export type LakeTable = {
  readonly name: string;
  readonly columns: readonly ViewColumn[];
  readonly keys: readonly string[];
};

/** What is exported: entities, and the first and last month, or null for everything. The timezone cuts months. */
export type LakeCut = {
  readonly entities: readonly string[] | null;
  readonly months: { readonly first: string; readonly last: string } | null;
  readonly timezone: string;
};

/**
 * The views that grow with every record, and the column that gives the month: `period` is the month in which an entry counts;
 * an instant is cut in the timezone of the books. '' is none: one folder for each entity. All other views are one file.
 */
const MONTHS: Readonly<Record<string, string>> = {
  cash_flows: 'period',
  chain: 'landed_at',
  clearing_matches: 'debit_at',
  conversion_spreads: 'effective_at',
  disposals: 'period',
  earn_movements: 'created_at',
  entries: 'period',
  explanations: '',
  lots: 'period',
  movements: 'created_at',
  orders: 'first_fill_at',
  outside: 'period',
  postings: 'period',
  readings: 'taken_at',
  records: 'landed_at',
  tie_outs: 'as_of',
  trades: 'created_at',
  trading_orders: 'created_at',
  transfers: '',
  value_findings: 'period',
  value_postings: 'period',
  wallet_transactions: 'date',
};

/** What each type becomes. Types of which other programs have no common notion become text. */
const TYPES: Readonly<Record<string, string>> = {
  text: '',
  uuid: '',
  interval: '',
  jsonb: '',
  numeric: DECIMAL,
  smallint: 'smallint',
  integer: 'integer',
  bigint: 'bigint',
  boolean: 'boolean',
  date: 'date',
  'timestamp with time zone': 'timestamptz',
  'text[]': 'varchar[]',
};

/** Groups the rows of sql/export/lake_columns.sql. */
export const tablesOf = (rows: readonly Readonly<Record<string, string | null>>[]): LakeTable[] => {
  const tables = new Map<string, ViewColumn[]>();
  for (const { table_name, column_name, type } of rows) {
    const columns = tables.get(table_name ?? '') ?? [];
    columns.push({ name: column_name ?? '', type: type ?? '' });
    tables.set(table_name ?? '', columns);
  }
  return [...tables].map(([name, columns]) => ({ name, columns, keys: keysOf(name) }));
};

const keysOf = (name: string): readonly string[] => {
  const column = MONTHS[name];
  if (column === undefined) return [];
  return column === '' ? ['entity_id'] : ['entity_id', 'month'];
};

/** The columns in the files of a table: those that are not folders. `texts` are amounts that no decimal holds exactly. */
export const fileColumns = (table: LakeTable, texts: readonly string[]): ParquetColumn[] => {
  const columns = table.columns.filter(({ name }) => !table.keys.includes(name));
  const names = columns.map(({ name }) => name);
  return columns.map(({ name, type }) => ({
    name,
    type: texts.includes(name) ? '' : parquetType(type),
    currency: currencyOf(name, names),
  }));
};

const parquetType = (type: string): string => {
  const mapped = TYPES[type];
  assert(mapped !== undefined, `no type of the lake for ${type}: add it to TYPES`);
  return mapped;
};

/** Reads a table: its folders first, then the columns of its files. */
export const tableSql = (table: LakeTable, { entities, months, timezone }: LakeCut): BoundSql => {
  const values: (string | readonly string[])[] = [];
  const bind = (value: string | readonly string[]): string => `$${values.push(value)}`;
  const month = monthOf(MONTHS[table.name] ?? '', () => bind(timezone));
  const hasEntity = table.columns.some(({ name }) => name === 'entity_id');
  const rest = table.columns.filter(({ name }) => !table.keys.includes(name));
  const filters = [
    ...(entities === null || !hasEntity ? [] : [`entity_id = any(${bind(entities)})`]),
    ...(months === null || month === null
      ? []
      : [`${month} between ${bind(months.first)} and ${bind(months.last)}`]),
  ];
  const keys = table.keys.map((key) => (key === 'month' ? `${month} as month` : quoted(key)));
  const order = [
    ...table.keys.map((key) => `${key === 'month' ? month : quoted(key)} collate "C"`),
    ...rest.map(orderOf),
  ];
  const text = `select ${[...keys, ...rest.map(cellOf)].join(', ')} from books.${quoted(table.name)}${
    filters.length === 0 ? '' : ` where ${filters.join(' and ')}`
  } order by ${order.join(', ')}`;
  return { text, values };
};

/** The expression of a row's month; null if the table has none. */
const monthOf = (column: string, zone: () => string): string | null => {
  if (column === '') return null;
  return column === 'period' ? 'period' : `to_char(${quoted(column)} at time zone ${zone()}, 'YYYY-MM')`;
};

const cellOf = ({ name, type }: ViewColumn): string =>
  type === 'text[]' ? `to_json(${quoted(name)})::text as ${quoted(name)}` : quoted(name);

const orderOf = ({ name, type }: ViewColumn): string => {
  if (type === 'text') return `${quoted(name)} collate "C"`;
  return ['jsonb', 'text[]'].includes(type) ? `${quoted(name)}::text collate "C"` : quoted(name);
};
