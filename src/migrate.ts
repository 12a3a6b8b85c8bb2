// The schema's migrations, run by dbmate; the roles; and the analysts' views with what each role may do, recreated whole
// whenever their files have changed.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveBinary } from 'dbmate';
import { lastLines, runChild } from './child.ts';
import { codeOf, inSession, placeOf, type Session } from './db.ts';
import { lockSchema } from './db-lock.ts';
import { FailedError } from './errors.ts';
import { sha256 } from './json.ts';
import { GRANTED, makeGroups } from './roles.ts';
import { packageRoot } from './root.ts';

/** The files that make a database ours. Default: those of this package. */
export type SchemaFiles = { migrationsDir: string; viewsFile: string; rolesFile: string };

/** What was done: the versions of the migrations applied, oldest first, and whether the views were recreated. */
export type Migrated = { applied: string[]; viewsRecreated: boolean };

const OURS: SchemaFiles = {
  migrationsDir: join(packageRoot, 'migrations'),
  viewsFile: join(packageRoot, 'sql', 'views.sql'),
  rolesFile: join(packageRoot, 'sql', 'roles.sql'),
};

const SERVER_MIN = 150_000;
const WAIT_MS = 60_000;
const TABLE = 'public.schema_migrations';

/**
 * What the files ask for: every version, oldest first, the text of views and grants, and a digest of all, so that views
 * that a migration dropped with its tables are missed even if we were killed before we recreated them.
 */
type Wanted = { versions: string[]; views: string; digest: string };
/** What the database has; versions are null before the first migration. */
type Found = { versions: string[] | null; comment: string; isGranted: boolean };

const wantedOf = async (files: SchemaFiles): Promise<Wanted> => {
  const names = await readdir(files.migrationsDir);
  const versions = names.flatMap((name) => /^(\d+).*\.sql$/.exec(name)?.[1] ?? []).sort();
  const texts = [files.viewsFile, files.rolesFile].map((file) => readFile(file, 'utf8'));
  const views = (await Promise.all(texts)).join('\n');
  return { versions, views, digest: sha256(`${versions.join(' ')}\n${views}`) };
};

const STATE = `
  select current_setting('server_version_num')::int4 as server, current_setting('server_version') as named,
    to_regclass('${TABLE}') is not null as migrated,
    coalesce(obj_description(to_regnamespace('books'), 'pg_namespace'), '') as comment, ${GRANTED} as granted`;

const look = async (session: Session): Promise<Found> => {
  const { server, named, migrated, comment, granted } = (await session.query(STATE)).rows[0];
  if (server < SERVER_MIN)
    throw new FailedError(`the database is PostgreSQL ${named}: tieout needs 15 or newer`);
  const isGranted: boolean = granted;
  if (!migrated) return { versions: null, comment, isGranted };
  const { rows } = await session.query<{ version: string }>(`select version from ${TABLE} order by version`);
  return { versions: rows.map((row) => row.version), comment, isGranted };
};

const missingOf = (wanted: Wanted, found: Found): string[] => {
  const newer = found.versions?.filter((version) => !wanted.versions.includes(version)) ?? [];
  if (newer.length > 0) {
    throw new FailedError(
      `the database is of a newer schema (version ${newer.at(-1)}) than this tieout: update tieout`,
    );
  }
  return wanted.versions.filter((version) => !found.versions?.includes(version));
};

const isCurrent = (wanted: Wanted, found: Found): boolean =>
  missingOf(wanted, found).length === 0 && found.comment.includes(wanted.digest) && found.isGranted;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** dbmate's driver insists on TLS where nothing is said, which a server on loopback seldom has. */
const urlForDbmate = (url: string): string => {
  const asked = new URL(url);
  asked.protocol = 'postgres:';
  const host = decodeURIComponent(asked.hostname);
  if (host.startsWith('/')) {
    asked.searchParams.set('host', host); // Go refuses a folder where a host should be
    asked.hostname = 'localhost';
  }
  if (!asked.searchParams.has('sslmode') && LOOPBACK.test(asked.hostname))
    asked.searchParams.set('sslmode', 'disable');
  return asked.href;
};

const withoutPassword = (text: string, url: string): string => {
  const { password } = new URL(url);
  if (password === '') return text;
  return text.replaceAll(password, '***').replaceAll(decodeURIComponent(password), '***');
};

/**
 * Runs dbmate on an existing database. Its exit code alone is believed: it prints "Applied" for a migration that
 * failed too. The URL goes through its environment, since arguments can be read by every user of the machine.
 */
const runDbmate = async (url: string, migrationsDir: string): Promise<void> => {
  const table = [
    '--migrations-table',
    TABLE,
    '--no-dump-schema',
    '--env-file',
    join(migrationsDir, 'no.env'),
  ];
  const args = ['--migrations-dir', migrationsDir, ...table, 'migrate'];
  const { code, said } = await runChild(resolveBinary(), args, { env: { DATABASE_URL: urlForDbmate(url) } });
  if (code === 0) return;
  throw new FailedError(`migrating ${placeOf(url)} failed: ${withoutPassword(lastLines(said), url)}`);
};

const recreateViews = async (session: Session, wanted: Wanted): Promise<void> => {
  const comment = `The analysts' stable interface, recreated by tieout migrate. Digest: ${wanted.digest}`;
  try {
    await session.query('begin');
    await session.query(wanted.views);
    await session.query(`comment on schema books is '${comment.replaceAll("'", "''")}'`);
    await session.query('commit');
  } catch (error) {
    await session.query('rollback').catch(() => {});
    if (codeOf(error) !== '55P03') throw error;
    throw new FailedError(
      'the views are being read for too long to be recreated: let those queries end, and run again',
    );
  }
};

const change = async (session: Session, wanted: Wanted, run: () => Promise<void>): Promise<Migrated> => {
  const found = await look(session); // again: whoever held the lock may have done it all
  if (isCurrent(wanted, found)) return { applied: [], viewsRecreated: false };
  const applied = missingOf(wanted, found);
  await makeGroups(session); // first: where we may not, nothing is begun
  if (applied.length > 0) await run();
  await recreateViews(session, wanted);
  return { applied, viewsRecreated: true };
};

/**
 * Brings a database to our schema. A current one costs two short queries and starts nothing; several processes at once
 * wait for the first. Throws FailedError for a server older than 15, a schema newer than ours, a failed migration.
 */
export const migrate = (url: string, files: SchemaFiles = OURS): Promise<Migrated> =>
  inSession(url, `tieout migrate pid ${process.pid}`, async (session) => {
    const wanted = await wantedOf(files);
    if (isCurrent(wanted, await look(session))) return { applied: [], viewsRecreated: false };
    const lock = await lockSchema(url, WAIT_MS);
    try {
      return await change(session, wanted, () => runDbmate(url, files.migrationsDir));
    } finally {
      await lock.release();
    }
  });
