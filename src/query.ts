// Ad hoc SQL: one statement, in a transaction that cannot write, every value as Postgres' own text.

import { inSession } from './db.ts';
import { UsageError } from './errors.ts';
import { type Column, csvHeader, csvRows } from './export/csv.ts';

export type Rows = {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | null)[])[];
};

const FORMATS = ['table', 'csv', 'json'];
const TIMEOUT_MS = 60_000;

/** Asks the books. Throws UsageError for SQL that is wrong, writes, takes too long, or is more than one statement. */
export const queryBooks = async (url: string, sql: string, format: string): Promise<Rows> => {
  if (!FORMATS.includes(format)) throw new UsageError(`--format ${format}: choose ${FORMATS.join(', ')}`);
  return inSession(url, 'tieout query', async (session) => {
    await session.query(`set statement_timeout = ${TIMEOUT_MS}`);
    await session.query('set search_path = books, public');
    await session.query('begin transaction read only');
    try {
      const result = await session.query({
        text: sql,
        rowMode: 'array',
        queryMode: 'extended',
        types: { getTypeParser: () => asText },
      } as never);
      const { fields, rows } = result as unknown as {
        fields: { name: string; dataTypeID: number }[];
        rows: (string | null)[][];
      };
      return { columns: fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID })), rows };
    } catch (error) {
      throw new UsageError(`the query cannot be answered: ${(error as Error).message}`);
    } finally {
      await session.query('rollback').catch(() => {}); // the session ends with this call either way
    }
  });
};

const asText = (value: string): string => value;

/** Rows as CSV, text made safe from formulas, numbers untouched. */
export const toCsv = (columns: Rows['columns'], rows: Rows['rows']): string =>
  csvHeader(columns) + csvRows(columns, rows);
