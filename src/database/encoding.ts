// The encoding that a database for books must have.
import { UsageError } from '../base/errors.ts';
import type { Session } from './client.ts';
import { placeOf } from './connection.ts';

const ENCODING =
  'select pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()';

/** Throws a UsageError for another one: names of people are compared by Unicode, so no approval could be stored. */
export const refuseEncoding = async (session: Session, url: string): Promise<void> => {
  const { rows } = await session.query<{ encoding: string }>(ENCODING);
  if (rows[0]?.encoding === 'UTF8') return;
  throw new UsageError(
    `the database ${placeOf(url)} has the encoding ${rows[0]?.encoding}, and books need UTF8: create another one (create database tieout encoding 'UTF8' template template0) and set DATABASE_URL to it`,
  );
};
