// Ad hoc SQL: one statement that only reads, asked as the analyst, every value as Postgres' own text. Four locks, each
// for what the others let through: the first word (COPY and DO write under any of the rest), a read-only session, one
// statement at a time, and a role that reads the books and owns nothing.
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

/** The role that `sql/views.sql` makes, where it may. */
const ANALYST = 'tieout_analyst';

const FIRST_WORD = /^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(\w*)/;
const READING = ['select', 'with', 'values', 'table', 'explain', 'show'];

/** What would leave the role, or run SQL that is given as text; names written with escapes are refused, as they hide these. */
const LEAVING = /\b(set_config|(?:query|cursor)_to_xml\w*|ts_stat|ts_rewrite|dblink\w*)\b|\bu&"/i;

/** Throws UsageError for SQL that is not one reading statement, as far as words tell. */
export const refuseWriting = (sql: string): void => {
  const word = FIRST_WORD.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (!READING.includes(word)) {
    const found = word === '' ? 'nothing that begins with a word' : `one that begins with ${word}`;
    throw new UsageError(`query answers one statement that reads (${READING.join(', ')}), not ${found}`);
  }
  const leaving = LEAVING.exec(sql)?.[0];
  if (leaving) throw new UsageError(`query only reads the books: ${leaving} is not for it`);
};

/** Asks the books. Throws UsageError for SQL that is wrong, writes, takes too long, or is more than one statement. */
export const queryBooks = async (url: string, sql: string): Promise<Rows> => {
  refuseWriting(sql);
  return inSession(url, 'tieout query', async (session) => {
    await session.query(`set statement_timeout = ${TIMEOUT_MS}`);
    await session.query('set default_transaction_read_only = on');
    await session.query('set search_path = books, public');
    await becomeAnalyst(session);
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

/** Where an administrator gave us a database without the role, we ask as ourselves, read-only all the same. */
const becomeAnalyst = async (session: Session): Promise<void> => {
  const { rowCount } = await session.query('select from pg_roles where rolname = $1', [ANALYST]);
  if (rowCount === 1) await session.query(`set role ${ANALYST}`).catch(() => {});
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

const refusal = (error: Error): Error => {
  const code = codeOf(error);
  if (!/^[0-9A-Z]{5}$/.test(code) || SERVER.test(code))
    return new FailedError(`the database could not answer: ${error.message}`);
  return new UsageError(`the query cannot be answered: ${error.message}`);
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
