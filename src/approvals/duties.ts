// Duties: whether preparing and approving take two people, as they do unless somebody switched that off, once, by name and with
// a reason. Every version stays, and every cover says so while one person may do both.
import { type Kysely, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { isoOf, nowMs } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';

export type Duties = {
  readonly version: number;
  readonly is_one_person: boolean;
  readonly by_name: string;
  readonly reason: string;
  readonly at: string;
};

/** What holds now; null where nobody ever said, and two people are needed. */
export const dutiesOf = async (db: Kysely<DB>): Promise<Duties | null> => {
  const { rows } = await sql<Duties>`
    select version, is_one_person, by_name, reason, at from books_internal.duties order by version desc limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
};

/** Records who switched the second person off or on again. Throws UsageError where that is so already, or was off once before. */
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
      `the second approver was switched off once and on again by ${now.by_name} at ${now.at}: it cannot be switched off twice`,
    );
  const next = { version: (now?.version ?? 0) + 1, is_one_person: isOnePerson, by_name: by, reason };
  const duties = { ...next, at: isoOf(nowMs()) };
  await decider.insertInto('decide.duties').values(duties).execute();
  return duties;
};
