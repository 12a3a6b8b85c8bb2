// Segregation of duties: whether preparing and approving take two people. That is the default, until a named person turns
// it off with a reason, which is possible once. Every version is stored, and every cover page shows while one person may
// do both.
import { type Kysely, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import type { DB } from '../database/db-types.ts';
import type { ViewRow } from '../database/view-row.ts';
import { databaseTime } from '../run/run.ts';

export type Duties = ViewRow<
  'books_internal.duties',
  'version' | 'is_one_person' | 'set_by' | 'reason' | 'set_at'
>;

/** The setting in force; null if it was never changed and two people are required. */
export const dutiesOf = async (db: Kysely<DB>): Promise<Duties | null> => {
  const { rows } = await sql<Duties>`
    select version, is_one_person, set_by, reason, set_at from books_internal.duties order by version desc limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
};

/**
 * Records who turned the requirement of a second person off or on. Throws UsageError if it is so already, or was turned
 * off before.
 */
export const setDuties = async (
  decider: Kysely<DB>,
  {
    isOnePerson,
    by,
    reason,
  }: { readonly isOnePerson: boolean; readonly by: string; readonly reason: string },
): Promise<Duties> => {
  const now = await dutiesOf(decider);
  if ((now?.is_one_person ?? false) === isOnePerson)
    throw new UsageError(
      `${isOnePerson ? 'one person may already prepare and approve' : 'two people are already required'}`,
    );
  if (isOnePerson && now !== null)
    throw new UsageError(
      `the second approver was switched off once and on again by ${now.set_by} at ${now.set_at}: it cannot be switched off twice`,
    );
  const next = { version: (now?.version ?? 0) + 1, is_one_person: isOnePerson, reason };
  return decider.transaction().execute(async (tx) => {
    const setAt = await databaseTime(tx);
    await tx
      .insertInto('decide.duties')
      .values({ ...next, by_name: by, at: setAt })
      .execute();
    return { ...next, set_by: by, set_at: setAt };
  });
};
