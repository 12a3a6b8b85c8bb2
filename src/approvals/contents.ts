// Contents of proposals: each action as legs at an instant.
import { type Kysely, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { isoOf, nowMs, order } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import type { Leg } from '../ledger/entry.ts';
import type { Opening } from './opening.ts';
import { type Content, legTextOf, MANUAL, readContent } from './proposal.ts';
import type { Rejected } from './rejects.ts';

/** Balances from before our history. */
export const openingContent = ({ effectiveAt, legs, lots }: Opening): Content => ({
  action: 'open',
  effective_at: notLater(effectiveAt),
  description: 'opening balances',
  legs: legs.map(legTextOf),
  lots,
});

/** An entry for an event that no record shows. */
export const adjustment = (effectiveAt: string, legs: readonly Leg[]): Content => ({
  action: 'adjust',
  effective_at: notLater(effectiveAt),
  description: 'adjustment',
  legs: legs.map(legTextOf),
});

/** The entry for a rejected record, at the record's own effective date unless another instant is given. */
export const settlement = (rejected: Rejected, legs: readonly Leg[], instant: string | null): Content => {
  const { stream, recordId, version } = rejected;
  const effectiveAt = instant ?? rejected.effectiveAt;
  if (effectiveAt === null)
    throw new UsageError(
      `the time of ${stream} ${recordId} cannot be read: give its effective date with --at`,
    );
  return {
    action: 'settle',
    effective_at: notLater(effectiveAt),
    description: `settlement of ${stream} ${recordId}`,
    legs: legs.map(legTextOf),
    stream,
    record_id: recordId,
    version,
  };
};

const notLater = (effectiveAt: string): string => {
  if (order(effectiveAt, isoOf(nowMs())) > 0)
    throw new UsageError(`${effectiveAt} is in the future; entries must be dated in the past`);
  return effectiveAt;
};

type ManualRow = {
  entity_id: string;
  entry_id: string;
  kind: string;
  proposal_id: string;
  reversed_by: string | null;
  content: string;
};

/** The entry that people made, also by the id that it had before a reopening posted it again. */
const manualEntries = async (
  db: Kysely<DB>,
  entryId: string,
  entity: string | null,
): Promise<readonly ManualRow[]> => {
  const { rows } = await sql<ManualRow>`
    select m.entity_id, m.entry_id::text as entry_id, m.kind, m.proposal_id, m.reversed_by, p.content
    from books.manual_entries m
    join books.proposals p using (entity_id, proposal_id)
    where (${entity}::text is null or m.entity_id = ${entity}) and (m.entry_id::text = ${entryId} or exists (
      select from books.entries e
      where (e.entity_id, e.stream, e.record_id, e.kind) = (m.entity_id, ${MANUAL}, m.proposal_id, m.kind) and e.entry_id::text = ${entryId}
    ))`.execute(db);
  return rows;
};

/**
 * The reversal of an entry that people made. Throws UsageError for any other entry, and for one that is already reversed.
 */
export const reversal = async (
  db: Kysely<DB>,
  entryId: string,
  entity: string | null,
): Promise<{ entity: string; content: Content }> => {
  const id = entryId.toLowerCase();
  const [entry] = await manualEntries(db, id, entity);
  const refuse = (why: string): never => {
    throw new UsageError(`entry ${entryId.slice(0, 60)} ${why}`);
  };
  if (!entry)
    return refuse(
      'was not entered by a person: only manual entries can be reversed, see books.manual_entries',
    );
  if (entry.entry_id !== id)
    return refuse(`was posted again as ${entry.entry_id} when its month was reopened: reverse that entry`);
  if (entry.kind === 'reversal') return refuse('is a reversal: enter the reversed entry again with adjust');
  if (entry.reversed_by !== null) return refuse(`was reversed by ${entry.reversed_by}`);
  const original = readContent(entry.content);
  const content: Content = {
    action: 'reverse',
    effective_at: original.effective_at,
    description: `reversal of ${original.description}`,
    legs: original.legs.map(([debit, credit, currency, amount]) => [credit, debit, currency, amount]),
    stream: MANUAL,
    record_id: entry.proposal_id,
    reverses: id,
  };
  return { entity: entry.entity_id, content };
};
