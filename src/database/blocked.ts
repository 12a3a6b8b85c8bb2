// Who blocks a migration: sessions, and prepared transactions, which have none.
import { FailedError } from '../base/errors.ts';
import type { Session } from './client.ts';
import { loadSql } from './sql.ts';

/** The error of a migration that did not get its locks; it names everybody who has them. */
export const blockedMigration = async (session: Session): Promise<FailedError> => {
  const { rows } = await session.query<{ who: string | null }>(loadSql('dictionary/holders.sql'));
  const who = rows.map((row) => `(${row.who})`).join(', ') || 'which have ended by now';
  return new FailedError(
    `the migration is blocked by sessions that use the books: ${who}: end their transactions, or the sessions with ` +
      'select pg_terminate_backend(PID), and run again. Nothing was changed.',
  );
};
