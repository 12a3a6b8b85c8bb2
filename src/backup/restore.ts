// Restores a dump into empty books of the same schema, in one transaction: what is read back from the tables must have the
// digests of the dump before anything is committed.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FailedError, UsageError } from '../base/errors.ts';
import type { Session } from '../database/client.ts';
import type { Stopping } from '../database/connection.ts';
import { ALIVE, commitSurely, inSession, placeOf } from '../database/database.ts';
import { findBooks, migrate, readSchemaFiles, SCHEMAS, writeMarks } from '../database/schema.ts';
import type { Shipped } from '../database/schema-files.ts';
import type { Dumped } from './dump.ts';
import {
  type DumpHeader,
  type DumpManifest,
  type DumpReader,
  damaged,
  dumpReader,
  readHeader,
  readNext,
} from './dump-text.ts';
import { restoreSequences } from './sequences.ts';
import {
  beginPlain,
  type DumpTable,
  digester,
  fillTable,
  readTable,
  type TableDigest,
  tablesOf,
} from './tables.ts';

type RestoreSource = Stopping & {
  /** The unpacked text. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Makes this process the only writer of the books. */
  readonly lock: () => Promise<{ release(): Promise<void> }>;
};

/** What empty books may have: the tables that a migration fills, and the workers that wait for a first night. */
const BESIDE_BOOKS = new Set(['reconcile.severities', 'run.workers']);

/**
 * Restores the text of a dump as the owner of a database; one of an older schema in that schema, which is migrated then. Throws a
 * UsageError if the database has books with rows, and a FailedError for a damaged dump or one of another schema; then nothing has
 * changed, and an empty database is empty again.
 */
export const restoreDump = async (
  session: Session,
  url: string,
  { chunks, lock, signal }: RestoreSource,
): Promise<Dumped> => {
  const advice = 'restore into an empty one, with another TIEOUT_HOME or DATABASE_URL';
  await refuseBooks(session, url, advice); // before anything is migrated
  const reader = dumpReader(chunks[Symbol.asyncIterator]());
  const header = await readHeader(reader);
  const shipped = await readSchemaFiles();
  const isOlder = isOlderSchema(header, shipped);
  const isEmpty = (await findBooks(session, url)) === null;
  if (isOlder && !isEmpty)
    throw new UsageError(
      `the dump is of an older schema than the one at ${placeOf(url)}: restore it into a database without a schema of tieout`,
    );
  const marks = { booksId: header.books_id, viewsDigest: isOlder ? '' : shipped.digest };
  let restored: Dumped | null = null;
  try {
    await migrate(url, { signal, versions: isOlder ? header.versions : undefined });
    restored = await alone(lock, async () => {
      await refuseBooks(session, url, advice); // another process may have begun some
      return restoreRows(session, reader, { ...marks, url });
    });
    if (isOlder) await migrate(url, { signal });
    return restored;
  } catch (error) {
    const drop = (fresh: Session) => dropSchema(fresh, url, restored !== null);
    if (isEmpty) await inSession(url, 'tieout restore', drop).catch(() => {}); // report the first error
    throw error;
  }
};

/** Whether the schema of a dump is an older one than ours, of which we have all migrations. Throws a FailedError if it is another. */
const isOlderSchema = ({ versions, tieout }: DumpHeader, { migrations }: Shipped): boolean => {
  const ours = migrations.map(({ version }) => version);
  if (versions.length > 0 && versions.every((version, nth) => version === ours[nth]))
    return versions.length < ours.length;
  throw new FailedError(
    `the dump is of schema ${versions.at(-1) ?? 'none'}, and this tieout has ${ours.at(-1)}: restore it with tieout ${tieout}, which made it`,
  );
};

const alone = async <T>(lock: RestoreSource['lock'], work: () => Promise<T>): Promise<T> => {
  const { release } = await lock();
  try {
    return await work();
  } finally {
    await release();
  }
};

/**
 * Removes the schema that a failed restore created, unless another process has begun books in it since. Rows of ours are in a schema that
 * only waits for its migration, so nobody else has begun any.
 */
const dropSchema = async (session: Session, url: string, isRestored: boolean): Promise<void> => {
  await beginPlain(session, 'isolation level read committed read write');
  await session.query('select run.lock_books()');
  const isWaiting = isRestored && (await findBooks(session, url))?.digest === '';
  if (!isWaiting) await refuseBooks(session, url, '');
  await session.query(`drop schema if exists ${SCHEMAS.join(', ')} cascade`);
  await session.query('drop table public.schema_migrations');
  await session.query('commit');
};

type Marks = { readonly booksId: string; readonly viewsDigest: string; readonly url: string };

const restoreRows = async (
  session: Session,
  reader: DumpReader,
  { booksId, viewsDigest, url }: Marks,
): Promise<Dumped> => {
  await beginPlain(session, 'isolation level read committed read write');
  try {
    const tables = await tablesOf(session);
    await session.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    await session.query('set constraints all deferred');
    const manifest = await fill(session, tables, reader);
    const digests = await compare(session, tables, manifest);
    await restoreSequences(session, manifest).catch(refuseAltered('a sequence cannot be set'));
    await writeMarks(session, booksId, viewsDigest);
    await renewStatistics(session, tables);
    await commitSurely(session, { url });
    return { booksId, tables: digests };
  } catch (error) {
    await session.query('rollback').catch(() => {}); // report the first error
    throw error;
  }
};

/** The proof follows at once, and without statistics each of its queries would be planned for an empty table. */
const renewStatistics = async (session: Session, tables: readonly DumpTable[]): Promise<void> => {
  await session.query(`analyze ${tables.map(({ name }) => name).join(', ')}`);
};

/** Throws a UsageError, which ends with `advice`, if a database has books with rows, of any version of tieout, or a worker. */
export const refuseBooks = async (session: Session, url: string, advice: string): Promise<void> => {
  if ((await findBooks(session, url)) === null) return;
  const tables = await tablesOf(session);
  for (const { name } of tables.filter((table) => !BESIDE_BOOKS.has(table.name))) {
    const { rowCount } = await session.query(`select from ${name} limit 1`);
    if (rowCount !== 0)
      throw new UsageError(`the database at ${placeOf(url)} already has books (${name} has rows): ${advice}`);
  }
  if (tables.some(({ name }) => name === 'run.workers')) await refuseWorkers(session, url);
};

/** A worker would begin a night in the middle of what is restored; one that was killed left its row, which says nothing. */
const refuseWorkers = async (session: Session, url: string): Promise<void> => {
  const { rows } = await session.query<{ host: string; pid: number }>(
    `select host, pid from run.workers where not pg_try_advisory_xact_lock(${ALIVE('worker_id')}) limit 1`,
  );
  const [worker] = rows;
  if (worker)
    throw new UsageError(
      `a worker waits for nights in the database at ${placeOf(url)} (${worker.host} pid ${worker.pid}): stop it, and run again`,
    );
};

/** Fills each table as the dump names it; returns its manifest. */
const fill = async (
  session: Session,
  tables: readonly DumpTable[],
  reader: DumpReader,
): Promise<DumpManifest> => {
  const filled = new Map<string, TableDigest>();
  for (;;) {
    const next = await readNext(reader);
    if ('manifest' in next) {
      requireEqual(next.manifest, filled, 'a table is not as its manifest says');
      if (filled.size !== tables.length) throw damaged('a table is missing');
      return next.manifest;
    }
    const table = tables.find(({ name }) => name === next.table);
    if (filled.has(next.table)) throw damaged(`it has ${next.table} twice`);
    if (table?.columns.join(', ') !== next.columns)
      throw new FailedError(
        `the dump's table ${next.table} is not as in this tieout: restore it with the tieout that made it`,
      );
    const { through, digest } = digester(table.name);
    await pipeline(Readable.from(reader.rows()), through, fillTable(session, table)).catch(
      refuseAltered(`${table.name} does not accept its rows`),
    );
    filled.set(table.name, digest());
  }
};

/** The classes of errors about data and about constraints. */
const REFUSED = /^2[23]/;

/**
 * What the tables do not accept was altered. The names of a constraint or column say where; what PostgreSQL writes beside them may quote
 * data, which is personal and of any length.
 */
const refuseAltered =
  (what: string) =>
  (error: Error & { code?: string; constraint?: string; column?: string }): never => {
    const { code = '', constraint, column } = error;
    if (!REFUSED.test(code)) throw error;
    throw damaged(`${what}: ${constraint ?? column ?? `SQLSTATE ${code}`}`);
  };

/** Reads every table back: what will be committed is what was dumped, to the byte. */
const compare = async (
  session: Session,
  tables: readonly DumpTable[],
  manifest: DumpManifest,
): Promise<TableDigest[]> => {
  await session
    .query('set constraints all immediate')
    .catch(refuseAltered('rows refer to others that it lacks'));
  const found = new Map<string, TableDigest>();
  for (const table of tables) {
    const { through, digest } = digester(table.name);
    await pipeline(readTable(session, table), through, async (rows) => {
      for await (const _ of rows); // only the digest counts
    });
    found.set(table.name, digest());
  }
  requireEqual(manifest, found, 'what was read back differs');
  return [...found.values()];
};

/** Every table is on both sides, with the same rows. */
const requireEqual = (manifest: DumpManifest, found: ReadonlyMap<string, TableDigest>, why: string): void => {
  const stated = new Map(manifest.tables.map((one) => [one.table, one]));
  for (const table of new Set([...stated.keys(), ...found.keys()])) {
    const [one, other] = [stated.get(table), found.get(table)];
    if (one?.sha256 !== other?.sha256 || one?.rows !== String(other?.rows)) throw damaged(`${why}: ${table}`);
  }
};
