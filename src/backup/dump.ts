// Writes a dump: all rows of the books as of one moment, in the text of COPY, which every version of PostgreSQL reads.
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FailedError } from '../base/errors.ts';
import { programVersion } from '../base/root.ts';
import type { Session } from '../database/client.ts';
import { findBooks } from '../database/schema.ts';
import { COPY_END, copyLine, digestLine, headerLine, manifestLine } from './dump-text.ts';
import { beginPlain, type DumpTable, digester, readTable, type TableDigest, tablesOf } from './tables.ts';

/** What a dump contains. */
export type Dumped = { readonly booksId: string; readonly tables: readonly TableDigest[] };

const SEQUENCES = `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last_value
  from pg_sequences where last_value is not null and schemaname = any($1) order by 1`;

/** Writes the dump of a database to `out` and ends it; throws if `out` is destroyed. The session must be the owner's. */
export const writeDump = async (session: Session, url: string, out: Writable): Promise<Dumped> => {
  const books = await findBooks(session, url);
  if (books === null) throw new FailedError('there are no books to dump');
  const { booksId, versions } = books;
  await beginPlain(session, 'isolation level repeatable read read only');
  const digests: TableDigest[] = [];
  await pipeline(async function* () {
    const header = await headerOf(session, { booksId, versions });
    yield header;
    for (const table of await tablesOf(session)) digests.push(yield* tableText(session, table));
    const manifest = await manifestOf(session, digests);
    yield `${manifest}${digestLine(header, manifest)}`;
  }, out);
  await session.query('rollback');
  return { booksId, tables: digests };
};

const headerOf = async (
  session: Session,
  { booksId, versions }: { readonly booksId: string; readonly versions: readonly string[] },
): Promise<string> => {
  const { rows } = await session.query<{ server: string }>(
    "select current_setting('server_version') as server",
  );
  const header = { tieout: programVersion, books_id: booksId, versions: [...versions] };
  return headerLine({ ...header, server: rows[0]?.server ?? '' });
};

const manifestOf = async (session: Session, digests: readonly TableDigest[]): Promise<string> => {
  const schemas = [...new Set(digests.map(({ table }) => table.split('.')[0] ?? ''))];
  const { rows: sequences } = await session.query(SEQUENCES, [schemas]);
  return manifestLine({ tables: digests.map((one) => ({ ...one, rows: String(one.rows) })), sequences });
};

async function* tableText(
  session: Session,
  table: DumpTable,
): AsyncGenerator<string | Buffer, TableDigest, undefined> {
  yield copyLine(table.name, table.columns);
  const { through, digest } = digester(table.name);
  const source = readTable(session, table);
  source.on('error', (error) => through.destroy(error));
  yield* source.pipe(through);
  yield COPY_END;
  return digest();
}
