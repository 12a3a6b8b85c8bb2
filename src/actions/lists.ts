// Lists for approvers: rejects, and closed months that only one person has signed.
import { sql } from 'kysely';
import type { Books } from '../database/connection.ts';
import type { ViewRow } from '../database/view-row.ts';

export type RejectRow = ViewRow<
  'books.rejects',
  'entity_id' | 'stream' | 'record_id' | 'version' | 'reason',
  'effective_at' | 'decision' | 'decided_by' | 'decision_reason'
>;

/** Every rejected record, undecided ones first. */
export const rejectsIn = async (db: Books, only: string | undefined): Promise<RejectRow[]> => {
  const { rows } = await sql<RejectRow>`
    select entity_id, stream, record_id, version, effective_at, reason, decision, decided_by, decision_reason
    from books.rejects
    where ${only ?? null}::text is null or entity_id = ${only ?? null}
    order by decision is not null, entity_id, stream, record_id`.execute(db);
  return rows;
};

export type SealRow = ViewRow<'books.seals', 'entity_id' | 'period' | 'prepared_by' | 'sealed_at' | 'root'>;

/** Closed months that only the person who closed them has signed. */
export const unapproved = async (db: Books, only: string | undefined): Promise<SealRow[]> => {
  const { rows } = await sql<SealRow>`
    select entity_id, period, prepared_by, sealed_at, root from books.seals
    where status = 'closed' and approved_at is null and (${only ?? null}::text is null or entity_id = ${only ?? null})
    order by period, entity_id`.execute(db);
  return rows;
};
