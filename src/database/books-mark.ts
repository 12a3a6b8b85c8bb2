// Whose database is this? Every schema of ours carries a mark in its comment: the id of the books, made when they were
// begun. A name alone proves nothing, so whatever has one of our names without the mark belongs to somebody else.

import { FailedError, UsageError } from '../base/errors.ts';
import { codeOf, placeOf, type Session } from './database.ts';
import { GRANTED } from './roles.ts';
import type { Shipped } from './schema-files.ts';

/** Every schema that migrations and views make. */
export const SCHEMAS = [
  'run',
  'land',
  'ledger',
  'reconcile',
  'decide',
  'value',
  'books_internal',
  'books',
] as const;
export const TABLE = 'public.schema_migrations';
const MARKED = [...SCHEMAS.map((name) => `schema ${name}`), `table ${TABLE}`];

/** The books in a database. */
export type Found = {
  /** Their id; null for those of an earlier version of this program, which did not write one. */
  readonly booksId: string | null;
  readonly versions: readonly string[];
  /** Digest of the files that the views and rights were made from; '' where there are none. */
  readonly digest: string;
  readonly isGranted: boolean;
};

const SERVER_MIN = 150_000;
const SERVER = `
  select current_setting('server_version_num')::int4 as number, current_setting('server_version') as version, ${GRANTED} as granted`;

const COMMENTS = `
  select 'schema ' || nspname as name, coalesce(obj_description(oid, 'pg_namespace'), '') as comment
  from pg_namespace where nspname = any($1)
  union all
  select 'table ${TABLE}', coalesce(obj_description(to_regclass('${TABLE}'), 'pg_class'), '')
  where to_regclass('${TABLE}') is not null
  order by 1`;

type Named = { readonly name: string; readonly comment: string };

const MARK = /^Tieout books ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/;
const DIGEST = /\bdigest ([0-9a-f]{64})$/i;
/** What an earlier version wrote on the schema of its views. */
const UNMARKED = /^The analysts' stable interface, recreated by tieout migrate\. Digest: [0-9a-f]{64}$/;

const foreign = (url: string, { name }: Named): UsageError =>
  new UsageError(
    `the database ${placeOf(url)} has a ${name} that tieout did not create, so nothing was changed: ` +
      'create a database for tieout (create database tieout) and set DATABASE_URL to it',
  );

const versionsIn = async (session: Session): Promise<string[]> =>
  (await session.query<{ version: string }>(`select version from ${TABLE} order by version`)).rows.map(
    (row) => row.version,
  );

/** An earlier version of this program made all of it: its comment is on the views, its migrations are on the list. */
const isEarlier = async (session: Session, things: readonly Named[], shipped: Shipped): Promise<boolean> => {
  if (!things.some(({ name, comment }) => name === 'schema books' && UNMARKED.test(comment))) return false;
  if (!things.some(({ name }) => name === `table ${TABLE}`)) return false;
  const versions = await versionsIn(session).catch((error: Error) => {
    if (/^42/.test(codeOf(error))) return []; // a table of that name in another form
    throw error;
  });
  return versions.some((version) => version === shipped.migrations[0]?.version);
};

/**
 * The books in a database, or null where nothing has a name of ours. Throws UsageError where something has such a name and
 * is not ours, FailedError for a server older than PostgreSQL 15. Changes nothing.
 */
export const findBooks = async (session: Session, url: string, shipped: Shipped): Promise<Found | null> => {
  const { number, version, granted } = (await session.query(SERVER)).rows[0];
  if (number < SERVER_MIN)
    throw new FailedError(`the database is PostgreSQL ${version}: tieout needs 15 or newer`);
  const things = (await session.query<Named>(COMMENTS, [SCHEMAS])).rows;
  if (things.length === 0) return null;
  const booksId = things.map(({ comment }) => MARK.exec(comment)?.[1]).find(Boolean) ?? null;
  const stranger = things.find(({ comment }) => MARK.exec(comment)?.[1] !== booksId);
  if (booksId === null && !(await isEarlier(session, things, shipped)))
    throw foreign(url, things[0] as Named);
  if (booksId !== null && stranger) throw foreign(url, stranger);
  const digest = things.map(({ comment }) => DIGEST.exec(comment)?.[1]).find(Boolean) ?? '';
  const versions = things.some(({ name }) => name === `table ${TABLE}`) ? await versionsIn(session) : [];
  return { booksId, versions, digest, isGranted: granted };
};

/** Writes the mark on everything that has a name of ours, and on the views what they were made from. */
export const writeMarks = async (session: Session, booksId: string, digest: string): Promise<void> => {
  const { rows } = await session.query<Named>(COMMENTS, [SCHEMAS]);
  for (const { name } of rows.filter((it) => MARKED.includes(it.name))) {
    const rest =
      name === 'schema books' ? `: the analysts' interface, recreated by migrate; digest ${digest}` : '';
    await session.query(`comment on ${name} is 'Tieout books ${booksId}${rest.replaceAll("'", "''")}'`);
  }
};
