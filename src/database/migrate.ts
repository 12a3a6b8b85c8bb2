// Migrates a database: migrations, roles, views and rights, all in one transaction. Only commands that create or migrate
// books do this; every other command checks that the books exist in this version, and changes nothing.
import { randomUUID } from 'node:crypto';
import { FailedError, UsageError } from '../base/errors.ts';
import { blockedMigration } from './blocked.ts';
import { type Found, findBooks, TABLE, writeMarks } from './books-mark.ts';
import type { Session } from './client.ts';
import { codeOf, inSession, placeOf, reasonOf, type Stopping } from './connection.ts';
import { dependentsOf, lostBetween } from './dependents.ts';
import { partitioned, partitionsIn, refusePartitions } from './partitions.ts';
import { makeGroups } from './roles.ts';
import { type Migration, readSchemaFiles, type SchemaFiles, type Shipped } from './schema-files.ts';
import { inTransaction } from './transaction.ts';
import { lockBooks, lockSchema } from './writer-lock.ts';

/**
 * The result: the versions applied, oldest first; whether the views were recreated; and the objects of others that were
 * dropped with them.
 */
export type Migrated = {
  readonly applied: readonly string[];
  readonly viewsRecreated: boolean;
  readonly dropped: readonly string[];
};

type MigrateOptions = Stopping & {
  readonly files?: SchemaFiles | undefined;
  /** Drops objects of others that depend on recreated views; without it, migration is refused. */
  readonly dropsDependents?: boolean | undefined;
  /** How long to wait for sessions that read or write. */
  readonly waitMs?: number | undefined;
  /** Partitions of each large table, in a new schema only. */
  readonly partitions?: number | undefined;
  /** Only these migrations, without views and rights: the schema of an older dump. A later call does the rest. */
  readonly versions?: readonly string[] | undefined;
  /** Makes every change and rolls it back: what it returns is what a migration would do now. */
  readonly isDryRun?: boolean | undefined;
};

/** Ends the transaction of a dry run. */
class DryRunEnd extends Error {
  readonly migrated: Migrated;
  constructor(migrated: Migrated) {
    super('a dry run is rolled back');
    this.migrated = migrated;
  }
}

const NOTHING: Migrated = { applied: [], viewsRecreated: false, dropped: [] };
const WAIT_MS = 60_000;

const missingOf = (shipped: Shipped, found: Found | null): readonly Migration[] => {
  const known = new Set(shipped.migrations.map(({ version }) => version));
  const unknown = found?.versions.findLast((version) => !known.has(version));
  if (unknown === undefined)
    return shipped.migrations.filter(({ version }) => !found?.versions.includes(version));
  const isNewer = /^\d+$/.test(unknown) && unknown > (shipped.migrations.at(-1)?.version ?? '');
  throw new FailedError(
    isNewer
      ? `the database is of a newer schema (version ${unknown}) than this tieout: update tieout`
      : `the database has a migration that no tieout up to this version has (${unknown.slice(0, 60)}): use the program that made it, or restore a dump`,
  );
};

/** What a migration would do to a database. */
type SchemaStatus = {
  /** The newest version applied; null without books. */
  readonly version: string | null;
  readonly pending: readonly string[];
  /** Why the views and rights would be recreated; null if they would not. */
  readonly lack: string | null;
};

/** Compares the schema of a database with this program's. Changes nothing. */
export const schemaStatus = async (url: string, stopping: Stopping = {}): Promise<SchemaStatus> => {
  const shipped = await readSchemaFiles();
  const found = await inSession(
    url,
    'tieout migrate --status',
    (session) => findBooks(session, url),
    stopping,
  );
  const pending = missingOf(shipped, found).map(({ version }) => version);
  return {
    version: found?.versions.at(-1) ?? null,
    pending,
    lack: found === null ? null : lackOf(shipped, found),
  };
};

/** What separates the books from this version; null if nothing does. */
const lackOf = (shipped: Shipped, found: Found): string | null => {
  const missing = missingOf(shipped, found);
  const [last, needed] = [found.versions.at(-1), missing.at(-1)?.version];
  if (needed !== undefined)
    return last === undefined || last > needed
      ? `have no row for migration ${needed} in ${TABLE}`
      : `are at schema ${last}, and this tieout needs ${needed}`;
  if (found.digest !== shipped.digest) return 'have the views of another version of tieout';
  return found.isGranted ? null : 'lack the roles or their rights';
};

const TABLE_OF_VERSIONS = `create table if not exists ${TABLE} (version varchar(128) primary key)`;

/** The codes of a schema, table, column, function or other object that exists. */
const EXISTS = /^(42P06|42P07|42701|42723|42710)$/;

const alreadyMade = (version: string, { message }: Error): FailedError =>
  new FailedError(
    `migration ${version} cannot be applied, because ${message}, although ${TABLE} has no row for it. Nothing was changed. ` +
      `If it was applied and its row removed, write the row again: insert into ${TABLE} values ('${version}'); if somebody else made that object, drop or rename it`,
  );

/** The table and the files have dbmate's format, so dbmate can also be run on them by hand. */
const apply = async (session: Session, { name, version, up }: Migration, partitions = 0): Promise<void> => {
  await session.query(partitioned(up, partitions)).catch((error: Error) => {
    if (EXISTS.test(codeOf(error))) throw alreadyMade(version, error);
    throw Object.assign(new Error(`${name}: ${error.message}`), { code: codeOf(error) });
  });
  await session.query(`insert into ${TABLE} (version) values ($1)`, [version]);
};

const refuseDropping = (dropped: readonly string[]): UsageError =>
  new UsageError(
    [
      `the views must be recreated, and ${dropped.length === 1 ? 'this is' : 'these are'} built on them:`,
      ...dropped.map((name) => `  ${name}`),
      'Save their definitions, run npx tieout migrate --drop-dependents, and create them again. Nothing was changed.',
    ].join('\n'),
  );

const change = async (
  session: Session,
  found: Found | null,
  {
    shipped,
    dropsDependents,
    partitions,
    versions,
  }: {
    readonly shipped: Shipped;
    readonly dropsDependents: boolean;
    readonly partitions: number | undefined;
    readonly versions: readonly string[] | undefined;
  },
): Promise<Migrated> => {
  const missing = missingOf(shipped, found).filter(({ version }) => versions?.includes(version) ?? true);
  const before = await dependentsOf(session);
  await makeGroups(session);
  await session.query(TABLE_OF_VERSIONS);
  for (const migration of missing) await apply(session, migration, partitions);
  if (versions === undefined) await session.query(shipped.views);
  await writeMarks(session, found?.booksId ?? randomUUID(), versions === undefined ? shipped.digest : '');
  const dropped = lostBetween(before, await dependentsOf(session));
  if (dropped.length > 0 && !dropsDependents) throw refuseDropping(dropped);
  return { applied: missing.map(({ version }) => version), viewsRecreated: versions === undefined, dropped };
};

const LOCKED_OUT = '55P03';
const DISK_FULL = '53100';

const failureOf = async (error: Error, url: string, session: Session): Promise<Error> => {
  if (error instanceof UsageError || error instanceof FailedError) return error;
  if (codeOf(error) === LOCKED_OUT) return blockedMigration(session);
  if (codeOf(error) === DISK_FULL) return error; // as in any other command
  return new FailedError(`migrating ${placeOf(url)} failed, and nothing was changed: ${reasonOf(error)}`);
};

/** Holds the writer's lock while books change their schema: a run of several processes has moments without a statement. */
const besideNoRun = async <T>(session: Session, url: string, work: () => Promise<T>): Promise<T> => {
  const { rows } = await session.query<{ is_there: boolean }>(
    "select to_regprocedure('run.lock_books()') is not null as is_there",
  );
  if (!rows[0]?.is_there) return work();
  const lock = await lockBooks(url, 'migrate');
  try {
    return await work();
  } finally {
    await lock.release();
  }
};

/**
 * Migrates a database to our schema as its owner, in one transaction. If it is current, this costs three short queries;
 * of several processes at once, the others wait for the first. Throws UsageError for a database with foreign objects,
 * and, unless `dropsDependents`, for one in which others built on the views; FailedError for a server older than 15, a
 * newer schema, or a failed migration.
 */
export const migrate = async (url: string, options: MigrateOptions = {}): Promise<Migrated> => {
  const shipped = await readSchemaFiles(options.files);
  const isCurrent = (found: Found | null) => found !== null && lackOf(shipped, found) === null;
  const migrating = async (session: Session): Promise<Migrated> => {
    const before = await findBooks(session, url);
    await checkPartitions(session, before, options.partitions);
    if (isCurrent(before)) return NOTHING;
    const work = async () => {
      await session.query(`set local lock_timeout = ${options.waitMs ?? WAIT_MS}`);
      await session.query('set local search_path = pg_catalog'); // no object in public can replace one that we call
      const found = await findBooks(session, url); // check again: the previous holder of the lock may have migrated
      if (isCurrent(found)) return NOTHING;
      const done = await change(session, found, {
        shipped,
        dropsDependents: options.dropsDependents ?? false,
        partitions: found === null ? options.partitions : undefined,
        versions: options.versions,
      });
      if (options.isDryRun) throw new DryRunEnd(done);
      return done;
    };
    const lock = await lockSchema(url, WAIT_MS, options);
    try {
      return await besideNoRun(session, url, () => inTransaction(session, work, { url }));
    } catch (error) {
      if (error instanceof DryRunEnd) return error.migrated;
      throw await failureOf(error as Error, url, session);
    } finally {
      await lock.release();
    }
  };
  return inSession(url, `tieout migrate pid ${process.pid}`, migrating, options);
};

/** Partitions are chosen when the schema is created; naming the same number again changes nothing. */
const checkPartitions = async (
  session: Session,
  found: Found | null,
  count: number | undefined,
): Promise<void> => {
  if (count === undefined) return;
  if (found === null) return refusePartitions(session, count);
  const existing = await partitionsIn(session);
  if (existing !== count)
    throw new UsageError(
      `the books exist ${existing === 0 ? 'without partitions' : `with ${existing} partitions`}, which migrate does not change: leave out --partitions, or dump the books and restore them into an empty database with partitions`,
    );
};

/** Where the books are expected, and the error to throw if they are missing. */
type BooksRequirement = Stopping & { readonly place: string; readonly none: UsageError };

/** Checks that the books exist and have this version. Throws UsageError if they do not, FailedError for a newer schema. */
export const requireBooks = async (url: string, { place, none, signal }: BooksRequirement): Promise<void> => {
  const shipped = await readSchemaFiles();
  const name = `tieout pid ${process.pid}`;
  const found = await inSession(url, name, (session) => findBooks(session, url), { signal });
  if (found === null) throw none;
  const lack = lackOf(shipped, found);
  if (lack !== null) throw new UsageError(`the books ${place} ${lack}: run npx tieout migrate`);
};
