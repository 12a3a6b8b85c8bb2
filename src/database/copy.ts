// Bulk load through COPY, which takes half the time of an insert, for rows that meet no conflict. A `copy … from stdin` takes
// its data as its values, like any statement; pg itself cannot send it.
import { CompiledQuery, type Insertable, type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { DB } from './db-types.ts';
import type { InsertableRow } from './insert.ts';

type NewRow<T extends keyof DB> = InsertableRow<Insertable<DB[T]>>;

/** Rows of one table on their way to it. Each becomes text at once, so that no object of theirs stays in memory. */
type CopyBatch<T extends keyof DB> = {
  /** Adds a row; every row has the same columns. */
  readonly add: (row: NewRow<T>) => void;
  /** Takes the rows that were added: the function stores them, in order. A row that exists already is an error. */
  readonly take: () => (tx: Kysely<DB>) => Promise<void>;
};

const ROWS_A_MESSAGE = 200;

export const copyBatch = <T extends keyof DB>(table: T): CopyBatch<T> => {
  let columns: readonly string[] = [];
  let lines: string[] = [];
  let messages: Buffer[] = [];
  const seal = () => {
    if (lines.length > 0) messages.push(copyData(lines.join('')));
    lines = [];
  };
  return {
    add: (row) => {
      if (columns.length === 0) columns = Object.keys(row);
      lines.push(lineOf(row as WrittenRow, columns));
      if (lines.length === ROWS_A_MESSAGE) seal();
    },
    take: () => {
      seal();
      const taken = messages;
      messages = [];
      return (tx) => copyInto(tx, table, { columns, messages: taken });
    },
  };
};

type CopyCell = string | number | boolean | null | undefined;
type WrittenRow = Readonly<Record<string, CopyCell>>;

/** A row in COPY's text form: cells between tabs, and a line end. */
const lineOf = (row: WrittenRow, columns: readonly string[]): string => {
  let line = '';
  for (const column of columns) line += `${line === '' ? '' : '\t'}${cellText(row[column])}`;
  return `${line}\n`;
};

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const cellText = (cell: CopyCell): string => {
  if (cell === null || cell === undefined) return '\\N';
  if (typeof cell !== 'string') return String(cell);
  return SPECIAL.test(cell) ? cell.replace(/[\\\t\n\r]/g, (special) => ESCAPES[special] ?? special) : cell;
};

/** A message of the protocol: `d`, the length of the rest in four bytes, the data. */
const copyData = (text: string): Buffer => {
  const message = Buffer.from(`d    ${text}`);
  message.writeUInt32BE(message.length - 1, 1);
  return message;
};

type CopyRows = { readonly columns: readonly string[]; readonly messages: readonly Buffer[] };

const copyInto = async (tx: Kysely<DB>, table: string, { columns, messages }: CopyRows): Promise<void> => {
  if (messages.length === 0) return;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const { sql: text } = sql`copy ${sql.table(table)} (${names}) from stdin`.compile(tx);
  await tx.executeQuery(CompiledQuery.raw(text, [...messages]));
};

/** Whether a statement is one that `sendCopy` runs: without data it is one that pg refuses. */
export const isCopy = (text: unknown, messages: unknown): messages is readonly Buffer[] =>
  Array.isArray(messages) &&
  typeof text === 'string' &&
  text.startsWith('copy ') &&
  text.endsWith(' from stdin');

type CopyTarget = { stream: { write(message: Buffer): void }; endCopyFrom(): void };

/** Runs a COPY. The server reads the messages while later ones are on the way; if it refuses one, it skips the rest. */
export const sendCopy = (
  client: pg.ClientBase,
  text: unknown,
  messages: readonly Buffer[],
): Promise<pg.QueryResult> =>
  new Promise((done, fail) => {
    const query = Object.assign(new pg.Query(String(text)), {
      handleCopyInResponse: (target: CopyTarget) => {
        for (const message of messages) target.stream.write(message);
        target.endCopyFrom();
      },
      callback: (error: Error | null, result: pg.QueryResult) => (error ? fail(error) : done(result)),
    });
    client.query(query);
  });
