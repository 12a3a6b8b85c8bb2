// Ad hoc SQL: one statement that only reads, asked as the analyst, every value as Postgres' own text. What keeps the books
// safe is the login, which may read the views and become nobody else; the first word, the read-only transaction and one
// statement at a time are there to say so clearly.
import { codeOf, inSession, type Session } from '../db.ts';
import { FailedError, UsageError } from '../errors.ts';
import { type Column, csvHeader, csvRows } from '../export/csv.ts';

export type Rows = {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | null)[])[];
};

export const FORMATS = ['table', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

const TIMEOUT_MS = 60_000;

const FIRST_WORD = /^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(\w*)/;
const READING = ['select', 'with', 'values', 'table', 'explain', 'show'];

/** Throws UsageError for SQL that is not one reading statement, as far as words tell. */
export const refuseWriting = (sql: string): void => {
  const word = FIRST_WORD.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (!READING.includes(word)) {
    const found = word === '' ? 'nothing that begins with a word' : `one that begins with ${word}`;
    throw new UsageError(`query answers one statement that reads (${READING.join(', ')}), not ${found}`);
  }
};

/** Asks the books, by an analyst's address. Throws UsageError for SQL that is wrong, writes, takes too long, or is more than one statement. */
export const queryBooks = async (url: string, sql: string): Promise<Rows> => {
  refuseWriting(sql);
  return inSession(url, 'tieout query', async (session) => {
    await session.query(`set statement_timeout = ${TIMEOUT_MS}`);
    await session.query('set default_transaction_read_only = on');
    await session.query('set search_path = books, public');
    await session.query('begin transaction read only');
    try {
      return await asked(session, sql);
    } catch (error) {
      throw refusal(error as Error);
    } finally {
      await session.query('rollback').catch(() => {}); // the session ends with this call either way
    }
  });
};

const asked = async (session: Session, sql: string): Promise<Rows> => {
  const query = {
    text: sql,
    rowMode: 'array',
    queryMode: 'extended',
    types: { getTypeParser: () => asText },
  };
  const { fields, rows } = (await session.query(query as never)) as unknown as {
    fields: { name: string; dataTypeID: number }[];
    rows: (string | null)[][];
  };
  return { columns: fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID })), rows };
};

const asText = (value: string): string => value;

/** SQLSTATE classes that speak of the server, not of what was asked: connection, resources, shutdown, system. */
const SERVER = /^(08|53|57P|58|XX)/;

const UNDEFINED_TABLE = '42P01';
const VIEWS = `; the views are told by: tieout query "select table_name from information_schema.views where table_schema = 'books'"`;

const refusal = (error: Error): Error => {
  const code = codeOf(error);
  if (!/^[0-9A-Z]{5}$/.test(code) || SERVER.test(code))
    return new FailedError(`the database could not answer: ${error.message}`);
  return new UsageError(
    `the query cannot be answered: ${error.message}${code === UNDEFINED_TABLE ? VIEWS : ''}`,
  );
};

/** Rows as CSV, text made safe from formulas, numbers untouched. */
export const toCsv = ({ columns, rows }: Rows): string => csvHeader(columns) + csvRows(columns, rows);

/** Rows as objects, every value as text. Throws UsageError where two columns have one name: one would be lost. */
export const toObjects = ({ columns, rows }: Rows): Record<string, string | null>[] => {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new UsageError(`two columns are called ${twice}: name them apart, as in: select 1 as a, 2 as b`);
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
};
