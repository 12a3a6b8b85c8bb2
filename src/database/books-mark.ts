// Recognises whose database it is. Every schema of tieout has a mark in its comment: the books' id, made when the books
// were created. A name proves nothing, so an object with one of our names but without the mark belongs to somebody else.
import { FailedError, UsageError } from '../base/errors.ts';
import type { Session } from './client.ts';
import { type Books, codeOf, placeOf } from './connection.ts';
import { refuseEncoding } from './encoding.ts';
import { GRANTED } from './roles.ts';
import { readRows } from './sql.ts';

/** Every schema that the migrations and views create. */
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

/** The books that a database contains. */
export type Found = {
  readonly booksId: string;
  readonly versions: readonly string[];
  /** Digest of the SQL files that made the views and rights; '' if there are none. */
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
const idIn = ({ comment }: Pick<Named, 'comment'>): string | undefined => MARK.exec(comment)?.[1];

const DIGEST = /\bdigest ([0-9a-f]{64})$/i;

const foreign = (url: string, { name }: Named): UsageError =>
  new UsageError(
    `the database ${placeOf(url)} has a ${name} that tieout did not create, so nothing was changed: ` +
      'create a database for tieout (create database tieout) and set DATABASE_URL to it',
  );

const MAY_NOT = '42501';

const versionsIn = async (session: Session, url: string): Promise<string[]> => {
  const text = `select version from ${TABLE} order by version`;
  const { rows } = await session.query<{ version: string }>(text).catch((error: Error) => {
    if (codeOf(error) !== MAY_NOT) throw error;
    throw new FailedError(
      `the books at ${placeOf(url)} belong to another role (${error.message}): write the address of the role that created them to DATABASE_URL`,
    );
  });
  return rows.map((row) => row.version);
};

/**
 * Finds the books in a database; null if no object has one of our names. Throws UsageError if an object with such a name
 * is not ours, or if there are no books and the encoding allows none; FailedError for a server older than PostgreSQL 15. Changes nothing.
 */
export const findBooks = async (session: Session, url: string): Promise<Found | null> => {
  const { number, version, granted } = (await session.query(SERVER)).rows[0];
  if (number < SERVER_MIN)
    throw new FailedError(`the database is PostgreSQL ${version}: tieout needs 15 or newer`);
  const things = (await session.query<Named>(COMMENTS, [SCHEMAS])).rows;
  const [first] = things;
  if (first === undefined) {
    await refuseEncoding(session, url);
    return null;
  }
  const booksId = idIn(first);
  const stranger = things.find((thing) => booksId === undefined || idIn(thing) !== booksId);
  if (booksId === undefined || stranger) throw foreign(url, stranger ?? first);
  const digest = things.map(({ comment }) => DIGEST.exec(comment)?.[1]).find(Boolean) ?? '';
  const versions = things.some(({ name }) => name === `table ${TABLE}`) ? await versionsIn(session, url) : [];
  return { booksId, versions, digest, isGranted: granted };
};

const VIEWS = `
  select coalesce(obj_description(oid, 'pg_namespace'), '') as comment from pg_namespace where nspname = 'books'`;

/** The books' id and the digest of their views, which any login can read; null if the database has none of ours. */
export const markOf = async (db: Books): Promise<{ booksId: string; digest: string } | null> => {
  const [found] = await readRows<{ comment: string }>(db, { text: VIEWS, values: [] });
  const booksId = idIn({ comment: found?.comment ?? '' });
  const digest = DIGEST.exec(found?.comment ?? '')?.[1];
  return booksId === undefined || digest === undefined ? null : { booksId, digest };
};

/**
 * Writes the mark on every schema and table of ours that carries one, and the digest of the SQL files on the views'
 * schema.
 */
export const writeMarks = async (session: Session, booksId: string, digest: string): Promise<void> => {
  const { rows } = await session.query<Named>(COMMENTS, [SCHEMAS]);
  for (const { name } of rows.filter((row) => MARKED.includes(row.name))) {
    const rest =
      name === 'schema books' ? `: the analysts' interface, recreated by migrate; digest ${digest}` : '';
    await session.query(`comment on ${name} is 'Tieout books ${booksId}${rest.replaceAll("'", "''")}'`);
  }
};
