// Rows out through COPY, in the text of Postgres: a piece of many rows is one text here, where a cursor makes each cell a value of its
// own, which takes twice the time. The statement takes its values as literals, since COPY has no parameters.
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Connection } from './client.ts';
import type { BoundSql } from './sql.ts';

/** A column as Postgres describes it: its name and the oid of its type. */
export type Column = { readonly name: string; readonly typeId: number };

/** A value as Postgres writes it, or null. */
export type Cell = string | null;

/** Rows of one statement, in order. There is a first batch even without rows. */
export type RowBatch = { readonly columns: readonly Column[]; readonly rows: readonly (readonly Cell[])[] };

/**
 * Runs a query and reads its rows as they come: memory holds one piece of them, whose size the socket decides. Nothing else runs on the
 * connection meanwhile. Throws what Postgres throws.
 */
export async function* copiedRows(connection: Connection, query: BoundSql): AsyncGenerator<RowBatch> {
  const text = withLiterals(connection, query);
  const columns = await described(connection, text);
  const stream = connection.query(copyTo(`copy (${text}\n) to stdout`)) as unknown as Readable;
  let isFirst = true;
  try {
    for await (const lines of wholeLines(stream)) {
      isFirst = false;
      yield { columns, rows: rowsIn(lines) };
    }
  } finally {
    if (!stream.readableEnded && !stream.errored) await finished(stream.resume()); // for a reader that stops early
  }
  if (isFirst) yield { columns, rows: [] };
}

const withLiterals = (connection: Connection, { text, values }: BoundSql): string => {
  const literals = values.map((value) =>
    typeof value === 'string'
      ? connection.escapeLiteral(value)
      : `array[${value.map((one) => connection.escapeLiteral(one)).join(', ')}]::text[]`,
  );
  return text
    .replace(/;\s*$/, '')
    .replaceAll(/\$(\d+)/g, (parameter, nth: string) => literals[Number.parseInt(nth, 10) - 1] ?? parameter);
};

/** The messages of the protocol that describe a query. */
type Wire = {
  readonly parse: (statement: { name: string; text: string; types: string[] }, more: boolean) => void;
  readonly describe: (what: { type: 'S'; name: string }, more: boolean) => void;
  readonly sync: () => void;
};

type Description = { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] };

/** The columns of a query, without planning it. */
const described = (connection: Connection, text: string): Promise<readonly Column[]> =>
  new Promise((resolve, reject) => {
    let columns: readonly Column[] = [];
    connection.query({
      submit: (wire: Wire) => {
        wire.parse({ name: '', text, types: [] }, true);
        wire.describe({ type: 'S', name: '' }, true);
        wire.sync();
      },
      handleRowDescription: ({ fields }: Description) => {
        columns = fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID }));
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    });
  });

const LINE_END = 10; // no byte of a longer character in UTF-8

/** The text of a stream in pieces that end with a line. */
async function* wholeLines(stream: Readable): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    if (end > 0) {
      yield Buffer.concat([...rest, chunk.subarray(0, end)]).toString('utf8');
      rest = [];
    }
    if (end < chunk.length) rest.push(chunk.subarray(end));
  }
}

const rowsIn = (lines: string): Cell[][] => {
  const rows = lines.split('\n');
  rows.pop(); // what follows the last line end
  return rows.map(cellsIn);
};

const cellsIn = (line: string): Cell[] => line.split('\t').map(cellOf);

/** Few cells have a backslash, and looking for one costs less than a pattern that finds none. */
const cellOf = (cell: string): Cell => {
  if (!cell.includes('\\')) return cell;
  return cell === '\\N' ? null : unescaped(cell);
};

const ESCAPED: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const unescaped = (cell: string): string =>
  cell.replaceAll(/\\([\s\S])/g, (_, letter: string) => ESCAPED[letter] ?? letter);
