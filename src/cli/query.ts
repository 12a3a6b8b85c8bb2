// Ad hoc SQL: one read-only statement, run as the analyst; no value passes through a float. The analyst's login protects
// the books: it can only read the views and cannot change roles. The check of the first word, the read-only transaction
// and the limit to one statement only make errors clear.
import { FailedError, UsageError } from '../base/errors.ts';
import { visible } from '../base/json.ts';
import type { Session } from '../database/client.ts';
import type { Stopping } from '../database/connection.ts';
import type { RowsPage } from '../database/cursor.ts';
import {
  BOOLEAN,
  codeOf,
  databaseFailure,
  inSession,
  instantText,
  OversizedPage,
  readPages,
  reasonOf,
  TIMESTAMPTZ,
} from '../database/database.ts';
import type { BoundSql } from '../database/sql.ts';
import { csvHeader, csvRows } from '../export/export.ts';

export const FORMATS = ['table', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** How much of a result is printed. A table is laid out whole, in memory; the other formats are written page by page. */
export type AnswerLimits = { readonly rows: number; readonly bytes: number };
export const LIMITS: Readonly<Record<Format, AnswerLimits>> = {
  table: { rows: 10_000, bytes: 16_000_000 },
  csv: { rows: 10_000_000, bytes: 4_000_000_000 },
  json: { rows: 10_000_000, bytes: 4_000_000_000 },
};

const TIMEOUT_MS = 60_000;
const PAGE = { rows: 200, bytesMax: 32_000_000 } as const;

const FIRST_WORD = /^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(\w*)/;
const READING = ['select', 'with', 'values', 'table', 'explain', 'show'];

/** Throws UsageError for SQL that is not one read-only statement, judged by its words. */
export const refuseWriting = (sql: string): void => {
  const word = FIRST_WORD.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (!READING.includes(word)) {
    const found = word === '' ? 'an empty statement' : `one that starts with ${word}`;
    throw new UsageError(`query runs one read-only statement (${READING.join(', ')}), not ${found}`);
  }
};

/** Writes rows; false if the reader has closed the stream. */
export type PutRows = (page: RowsPage) => Promise<boolean> | boolean;

/** The number of rows written, and the limit that cut off the rest; null if none did. */
type QueryOutcome = { readonly rows: number; readonly cut: keyof AnswerLimits | null };
type QueryOutput = { readonly limits: AnswerLimits; readonly put: PutRows };

/**
 * Runs the statement with an analyst's address and writes the result page by page, up to a limit. Throws UsageError for
 * SQL that is invalid, writes, takes too long, or is more than one statement.
 */
export const queryBooks = async (
  url: string,
  statement: BoundSql,
  { limits, put, signal }: QueryOutput & Stopping,
): Promise<QueryOutcome> => {
  refuseWriting(statement.text);
  const reading = async (session: Session) => {
    await session.query(`set statement_timeout = ${TIMEOUT_MS}`);
    await session.query('set default_transaction_read_only = on');
    await session.query('set search_path = books, public');
    await session.query('begin transaction read only');
    try {
      return await answer(session, statement, { limits, put });
    } catch (error) {
      throw refusal(error as Error);
    }
  }; // the session ends here, and with it any rows not yet read
  return inSession(url, 'tieout query', reading, { signal });
};

const sizeOf = (rows: RowsPage['rows']): number =>
  rows.reduce((sum, row) => row.reduce((size, cell) => size + (cell?.length ?? 0), sum), 0);

const answer = async (
  session: Session,
  statement: BoundSql,
  { limits, put }: QueryOutput,
): Promise<QueryOutcome> => {
  let [count, bytes] = [0, 0];
  for await (const { columns, rows } of readPages(session, statement, PAGE)) {
    const isCut = count + rows.length > limits.rows;
    const shown = isCut ? rows.slice(0, limits.rows - count) : rows;
    count += shown.length;
    bytes += sizeOf(shown);
    if (!(await put({ columns, rows: shown }))) break;
    if (isCut) return { rows: count, cut: 'rows' };
    if (bytes > limits.bytes) return { rows: count, cut: 'bytes' };
  }
  return { rows: count, cut: null };
};

/** A parameter without a value has the code of a broken connection. */
const UNBOUND = '08P01';

/** Who wrote the statement can change what stopped it: the time that it takes. */
const isOfStatement = (error: Error): boolean =>
  codeOf(error) === UNBOUND ||
  (/^[0-9A-Z]{5}$/.test(codeOf(error)) && [null, 'stopped', 'read-only'].includes(databaseFailure(error)));

/** What to do next, by SQLSTATE. */
const HINTS: Readonly<Record<string, string>> = {
  [UNBOUND]: '; write a value as :name, and add --set name=VALUE', // a parameter such as $1
  '42601': '; query runs one statement, in the SQL of PostgreSQL', // syntax error, or a second statement
  '42P01': '; npx tieout views lists the views', // undefined table
  '57014': `; a statement may take ${TIMEOUT_MS / 1000} seconds`, // cancelled
};

const refusal = (error: Error): Error => {
  if (error instanceof UsageError || error instanceof FailedError) return error;
  if (error instanceof OversizedPage)
    return new UsageError(
      `${PAGE.rows} rows of the answer have more than ${PAGE.bytesMax / 1_000_000} MB: omit the large column, or select part of it: substr(payload, 1, 1000)`,
    );
  if (!isOfStatement(error)) return new FailedError(`the database could not answer: ${reasonOf(error)}`);
  return new UsageError(`the query cannot be answered: ${reasonOf(error)}${HINTS[codeOf(error)] ?? ''}`, {
    cause: error,
  });
};

/** Prints some text; false if the reader has closed the stream. */
type Out = (text: string) => Promise<boolean>;

/** How a result is printed: its pages one by one, then its end. */
export type Writer = { readonly put: PutRows; readonly end: () => Promise<unknown> };

/** Writes CSV; text is made safe from formulas, numbers are unchanged. */
export const csvWriter = (out: Out): Writer => {
  let isFirst = true;
  const put: PutRows = ({ columns, rows }) => {
    const head = isFirst ? csvHeader(columns) : '';
    isFirst = false;
    return out(head + csvRows(columns, rows));
  };
  return { put, end: async () => {} };
};

/** The column names. Throws UsageError if two columns have the same name, because one would be lost. */
const namesOf = (columns: RowsPage['columns']): string[] => {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(
      `two columns are named ${twice}: give them different names, as in: select 1 as a, 2 as b`,
    );
  return names;
};

/** A value in JSON: a boolean, an instant in ISO 8601 as in CSV, and the text of Postgres for all others, because JSON numbers lose digits. */
const jsonCell = (typeId: number, cell: string | null): string | boolean | null => {
  if (cell === null) return null;
  if (typeId === BOOLEAN) return cell === 't';
  return typeId === TIMESTAMPTZ ? instantText(cell) : cell;
};

/** Writes one JSON array of objects. */
export const jsonWriter = (out: Out): Writer => {
  let before = '[\n';
  const put: PutRows = ({ columns, rows }) => {
    const names = namesOf(columns);
    const texts = rows.map((row) => {
      const cells = columns.map(({ typeId }, index) => jsonCell(typeId, row[index] ?? null));
      const value = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
      const text = `${before}  ${visible(JSON.stringify(value, null, 2)).replaceAll('\n', '\n  ')}`;
      before = ',\n';
      return text;
    });
    return out(texts.join(''));
  };
  return { put, end: () => out(before === '[\n' ? '[]\n' : '\n]\n') };
};
