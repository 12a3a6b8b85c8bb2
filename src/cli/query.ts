// Ad hoc SQL: one statement that only reads, asked as the analyst, every value as Postgres' own text. What keeps the books
// safe is the login, which may read the views and become nobody else; the first word, the read-only transaction and one
// statement at a time are there to say so clearly.
import { FailedError, UsageError } from '../base/errors.ts';
import { OversizedPage, type RowsPage, readPages } from '../database/cursor.ts';
import { codeOf, inSession, type Session, type Stopping } from '../database/database.ts';
import type { BoundSql } from '../database/sql.ts';
import { csvHeader, csvRows } from '../export/reports/csv.ts';

export const FORMATS = ['table', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** How much of an answer is printed. A table is laid out whole, in memory; the others leave page by page. */
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

/** Throws UsageError for SQL that is not one reading statement, as far as words tell. */
export const refuseWriting = (sql: string): void => {
  const word = FIRST_WORD.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (!READING.includes(word)) {
    const found = word === '' ? 'an empty statement' : `one that starts with ${word}`;
    throw new UsageError(`query runs one read-only statement (${READING.join(', ')}), not ${found}`);
  }
};

/** Takes rows; false where nobody reads them any more. */
export type PutRows = (page: RowsPage) => Promise<boolean> | boolean;

/** How much was put, and which limit cut the rest off; null where nothing was. */
export type QueryOutcome = { readonly rows: number; readonly cut: keyof AnswerLimits | null };
type QueryOutput = { readonly limits: AnswerLimits; readonly put: PutRows };

/**
 * Asks the books, by an analyst's address, and puts the answer page by page, up to a limit. Throws UsageError for SQL
 * that is wrong, writes, takes too long, or is more than one statement.
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
  }; // the session ends here, and with it whatever was still to come
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

/** SQLSTATE classes that speak of the server, not of what was asked: connection, resources, shutdown, system. */
const SERVER = /^(08|53|57P|58|XX)/;

const UNDEFINED_TABLE = '42P01';
const VIEWS = '; npx tieout views lists the views';

const refusal = (error: Error): Error => {
  if (error instanceof UsageError || error instanceof FailedError) return error;
  if (error instanceof OversizedPage)
    return new UsageError(
      `${PAGE.rows} rows of the answer have more than ${PAGE.bytesMax / 1_000_000} MB: omit the large column, or select part of it: substr(payload, 1, 1000)`,
    );
  const code = codeOf(error);
  if (!/^[0-9A-Z]{5}$/.test(code) || SERVER.test(code))
    return new FailedError(`the database could not answer: ${error.message}`);
  return new UsageError(
    `the query cannot be answered: ${error.message}${code === UNDEFINED_TABLE ? VIEWS : ''}`,
  );
};

/** Prints some text; false where nobody reads it any more. */
export type Out = (text: string) => Promise<boolean>;

/** How an answer is printed: its pages one by one, then its end. */
export type Writer = { readonly put: PutRows; readonly end: () => Promise<unknown> };

/** As CSV, text made safe from formulas, numbers untouched. */
export const csvWriter = (out: Out): Writer => {
  let isFirst = true;
  const put: PutRows = ({ columns, rows }) => {
    const head = isFirst ? csvHeader(columns) : '';
    isFirst = false;
    return out(head + csvRows(columns, rows));
  };
  return { put, end: async () => {} };
};

/** Throws UsageError where two columns have one name: one would be lost. */
const namesOf = (columns: RowsPage['columns']): string[] => {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(
      `two columns are named ${twice}: give them different names, as in: select 1 as a, 2 as b`,
    );
  return names;
};

/** As one JSON array of objects, every value as text. */
export const jsonWriter = (out: Out): Writer => {
  let before = '[\n';
  const put: PutRows = ({ columns, rows }) => {
    const names = namesOf(columns);
    const texts = rows.map((row) => {
      const value = Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]));
      const text = `${before}  ${JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')}`;
      before = ',\n';
      return text;
    });
    return out(texts.join(''));
  };
  return { put, end: () => out(before === '[\n' ? '[]\n' : '\n]\n') };
};
