// Writes a dump: all rows of the books as of one moment, in the text of COPY, which every version of PostgreSQL reads.
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { FailedError } from '../base/errors.ts';
import { programVersion } from '../base/root.ts';
import type { Session } from '../database/connection.ts';
import { findBooks, readSchemaFiles } from '../database/schema.ts';
import { COPY_END, copyLine, digestLine, headerLine, manifestLine } from './dump-text.ts';
import { beginPlain, type DumpTable, digester, readTable, type TableDigest, tablesOf } from './tables.ts';

/** What a dump contains. */
export type Dumped = { readonly booksId: string; readonly tables: readonly TableDigest[] };

const SEQUENCES = `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last_value
  from pg_sequences where last_value is not null and schemaname = any($1) order by 1`;

/** Writes the dump of a database to `out` and ends it. The session must be the owner's. */
export const writeDump = async (session: Session, url: string, out: Writable): Promise<Dumped> => {
  const books = await findBooks(session, url, await readSchemaFiles());
  if (books?.booksId == null) throw new FailedError('there are no books to dump');
  const ended = finished(out, { readable: false }); // who reads it needs nothing after the digest
  ended.catch(() => {}); // the write that fails throws
  await beginPlain(session, 'isolation level repeatable read read only');
  const { rows: server } = await session.query<{ server: string }>(
    "select current_setting('server_version') as server",
  );
  const tables = await tablesOf(session);
  const program = { tieout: programVersion, books_id: books.booksId, versions: [...books.versions] };
  const header = headerLine({ ...program, server: server[0]?.server ?? '' });
  await write(out, header);
  const digests: TableDigest[] = [];
  for (const table of tables) digests.push(await writeTable(session, table, out));
  const schemas = [...new Set(tables.map(({ name }) => name.split('.')[0] ?? ''))];
  const { rows: sequences } = await session.query(SEQUENCES, [schemas]);
  const tableTexts = digests.map((one) => ({ ...one, rows: String(one.rows) }));
  const manifest = manifestLine({ tables: tableTexts, sequences });
  await write(out, `${manifest}${digestLine(header, manifest)}`);
  await session.query('rollback');
  out.end();
  await ended;
  return { booksId: books.booksId, tables: digests };
};

const writeTable = async (session: Session, table: DumpTable, out: Writable): Promise<TableDigest> => {
  await write(out, copyLine(table.name, table.columns));
  const { through, digest } = digester(table.name);
  const source = readTable(session, table);
  source.on('error', (error) => through.destroy(error));
  for await (const chunk of source.pipe(through)) await write(out, chunk);
  await write(out, COPY_END);
  return digest();
};

/** Writes, and waits while the reader is behind. */
const write = (out: Writable, chunk: string | Buffer): Promise<void> =>
  new Promise((done, fail) => {
    out.write(chunk, (error) => (error ? fail(error) : done()));
  });
