// What a check found, and the identity of the break that follows from it.
import type { Selectable } from 'kysely';
import { sha256 } from '../base/json.ts';
import type { ReconcileBreaks } from '../database/db-types.ts';

/** One row returned by a file in sql/checks: one thing that is wrong. */
export type CheckRow = Pick<
  Selectable<ReconcileBreaks>,
  'entity_id' | 'subject' | 'account' | 'currency' | 'reported' | 'booked' | 'difference' | 'reason'
> & {
  /** When it arose, for a row without an account; absent if the check cannot tell. */
  readonly since?: string | null;
  /** The reason in parts, as JSON; absent if the check has it only in words. */
  readonly reason_parts?: string | null;
};

/** The id of a break: twelve hex digits over entity, check and subject. */
export const breakId = (entity: string, check: string, subject: string): string =>
  sha256(JSON.stringify([entity, check, subject])).slice(0, 12);
