// Lists for approvers: rejects, and closed months that only one person has signed.
import { sql } from 'kysely';
import type { Books } from '../database/database.ts';

export type RejectRow = {
  readonly entity_id: string;
  readonly stream: string;
  readonly record_id: string;
  readonly version: number;
  readonly effective_at: string | null;
  readonly reason: string;
  readonly decision: string | null;
  readonly decided_by: string | null;
  readonly decision_reason: string | null;
};

/** Every rejected record, undecided ones first. */
export const rejectsIn = async (db: Books, only: string | undefined): Promise<RejectRow[]> => {
  const { rows } = await sql<RejectRow>`
    select entity_id, stream, record_id, version, effective_at, reason, decision, decided_by, decision_reason
    from books.rejects
    where ${only ?? null}::text is null or entity_id = ${only ?? null}
    order by decision is not null, entity_id, stream, record_id`.execute(db);
  return rows;
};

export type SealRow = {
  readonly entity_id: string;
  readonly period: string;
  readonly prepared_by: string;
  readonly sealed_at: string;
  readonly root: string;
};

/** Closed months that only the person who closed them has signed. */
export const unapproved = async (db: Books, only: string | undefined): Promise<SealRow[]> => {
  const { rows } = await sql<SealRow>`
    select entity_id, period, prepared_by, sealed_at, root from books.seals
    where status = 'closed' and approved_at is null and (${only ?? null}::text is null or entity_id = ${only ?? null})
    order by period, entity_id`.execute(db);
  return rows;
};
