// Decisions on rejects: settled by an entry, proposed like any other, or dismissed with a reason.
import { type Kysely, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import type { DB } from '../database/db-types.ts';
import type { DismissalChange } from './changes.ts';
import type { Enacted } from './enacted.ts';

/** A record that no rule accepts today. `effectiveAt` is its own effective date; null if that cannot be read. */
export type Rejected = {
  readonly entity: string;
  readonly stream: string;
  readonly recordId: string;
  readonly version: string;
  readonly effectiveAt: string | null;
  readonly decision: string | null;
};

type RejectName = {
  readonly stream: string;
  readonly recordId: string;
  readonly entity: string | null;
};

/** The reject with that name. Throws UsageError if there is none, or if several entities have one. */
export const rejectedOf = async (db: Kysely<DB>, reject: RejectName): Promise<Rejected> => {
  const { rows } = await sql<Rejected>`
    select entity_id as entity, stream, record_id as "recordId", version::text as version, effective_at as "effectiveAt",
      decision
    from books.rejects
    where stream = ${reject.stream} and record_id = ${reject.recordId}
      and (${reject.entity}::text is null or entity_id = ${reject.entity})
    order by entity_id`.execute(db);
  const [one, ...others] = rows;
  const name = `${reject.stream} ${reject.recordId}`;
  if (!one) throw new UsageError(`${name} is not a rejected record: npx tieout rejects list shows them`);
  if (others.length > 0)
    throw new UsageError(
      `${name} is rejected in ${rows.map(({ entity }) => entity).join(' and ')}: choose one with --entity`,
    );
  return one;
};

/** A proposal to dismiss a reject; it books nothing. Throws UsageError if the reject has been decided already. */
export const dismissal = ({ stream, recordId, version, decision }: Rejected): DismissalChange => {
  if (decision !== null)
    throw new UsageError(`${stream} ${recordId} is ${decision} already: there is nothing left to decide`);
  return {
    action: 'dismiss',
    description: `dismissal of ${stream} ${recordId}, version ${version}`,
    stream,
    record_id: recordId,
    version,
  };
};

/** Dismisses a reject, as approved. */
export const dismiss = async (tx: Kysely<DB>, enacted: Enacted<DismissalChange>): Promise<void> => {
  const { stream, record_id, version } = enacted.change;
  await sql`
    insert into decide.dismissals (entity_id, stream, record_id, version, by_name, reason, at, proposal_id)
    values (${enacted.entity}, ${stream}, ${record_id}, ${version}::int, ${enacted.by}, ${enacted.reason}, ${enacted.at}::timestamptz,
      ${enacted.proposalId})`.execute(tx);
};

/** Why a reject cannot be dismissed; null if nothing prevents it. */
export const notToDismiss = async (
  db: Kysely<DB>,
  entity: string,
  { stream, record_id, version }: DismissalChange,
): Promise<string | null> => {
  const { rows } = await sql<{ decision: string | null }>`
    select decision from books.rejects
    where entity_id = ${entity} and stream = ${stream} and record_id = ${record_id} and version = ${version}::int`.execute(
    db,
  );
  const [reject] = rows;
  if (!reject)
    return `${stream} ${record_id} is no longer rejected in version ${version}: there is nothing to dismiss`;
  return reject.decision === null
    ? null
    : `${stream} ${record_id} is ${reject.decision} already: there is nothing left to decide`;
};
