// The tables of a dump, and their rows as a stream: text of COPY in the order of the key, with its digest and its row count.
import { createHash, type Hash } from 'node:crypto';
import { type Readable, Transform, type Writable } from 'node:stream';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Session } from '../database/client.ts';
import { loadSql } from '../database/database.ts';
import { SCHEMAS } from '../database/schema.ts';

export type DumpTable = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly row_order: string;
  readonly refers_to: readonly string[];
};

/** The number of rows of a table, and the SHA-256 of their text in the order of the key. */
export type TableDigest = { readonly table: string; readonly rows: number; readonly sha256: string };

/** The schemas whose tables a dump has, as an array in the text of SQL. */
export const BOOK_SCHEMAS = `{${SCHEMAS.filter((name) => !name.startsWith('books')).join(',')}}`;

/** The tables of the books, each after those that it refers to. */
export const tablesOf = async (session: Session): Promise<DumpTable[]> => {
  const { rows } = await session.query<DumpTable>(loadSql('backup/tables.sql', { schemas: BOOK_SCHEMAS }));
  const ordered: DumpTable[] = [];
  const isPlaced = (name: string) => ordered.some((table) => table.name === name);
  while (ordered.length < rows.length) {
    const next = rows.filter((table) => !isPlaced(table.name) && table.refers_to.every(isPlaced));
    if (next.length === 0) throw new Error('the foreign keys of the schema form a circle');
    ordered.push(...next);
  }
  return ordered;
};

/** What makes the text of a row the same on every server, whatever its settings. */
const FORMS = `set local datestyle = 'ISO'; set local timezone = 'UTC'; set local intervalstyle = 'postgres';
  set local lock_timeout = '60s'; set local bytea_output = 'hex'; set local extra_float_digits = 1; set local xmloption = 'content'; set local search_path = pg_catalog`;

/** Begins a transaction in which rows have one text everywhere. */
export const beginPlain = async (session: Session, mode: string): Promise<void> => {
  await session.query(`begin ${mode}`);
  await session.query(FORMS);
};

const LINE_END = 10;

const linesIn = (bytes: Uint8Array): number => {
  let count = 0;
  for (let found = bytes.indexOf(LINE_END); found >= 0; found = bytes.indexOf(LINE_END, found + 1))
    count += 1;
  return count;
};

/** Passes bytes on and digests them. In the text of COPY each row is a line. */
export const digester = (table: string) => {
  const hash: Hash = createHash('sha256');
  let rows = 0;
  const through = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk);
      rows += linesIn(chunk);
      done(null, chunk);
    },
  });
  return { through, digest: (): TableDigest => ({ table, rows, sha256: hash.digest('hex') }) };
};

/** The rows of a table as text. */
export const readTable = (session: Session, { name, columns, row_order }: DumpTable): Readable =>
  session.query(
    copyTo(`copy (select ${columns.join(', ')} from ${name} order by ${row_order}) to stdout`),
  ) as unknown as Readable;

/** Takes the rows of a table as text. */
export const fillTable = (session: Session, { name, columns }: DumpTable): Writable =>
  session.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`)) as unknown as Writable;
