// Proposals: stores what people prepare, whole, for another person to approve or refuse.
import { type Kysely, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { canonical, sha256 } from '../base/json.ts';
import { refuseUnclearName } from '../base/names.ts';
import type { DB } from '../database/db-types.ts';
import type { ViewRow } from '../database/view-row.ts';
import { isAltered, type StoredProposal } from '../run/run.ts';
import type { Settings } from '../run/settings.ts';
import { obstacleToChange } from './effects.ts';
import { obstacleTo } from './obstacles.ts';
import { isChange, type ProposalRequest, proposalId } from './proposal.ts';

/** Reads through `db`; writes through `decider`, whose role may write decisions. The caller holds the writer lock. */
export type ApprovalDesk = {
  readonly db: Kysely<DB>;
  readonly decider: Kysely<DB>;
  readonly settings: Settings;
};

/** What it takes to read why a proposal cannot take effect. */
export type ApprovalReader = Pick<ApprovalDesk, 'db' | 'settings'>;

export type Proposal = ViewRow<
  'books.proposals',
  'entity_id' | 'proposal_id' | 'action' | 'content' | 'reason' | 'prepared_by' | 'prepared_at',
  'content_sha256' | 'evidence_name' | 'evidence_sha256' | 'approved_by' | 'verdict_reason'
> & {
  readonly verdict: 'waiting' | 'approved' | 'refused';
  /** The entry that reversed its entry. */
  readonly reversed_by: string | null;
};

/** Proposals awaiting approval, or one by its id; oldest first. */
export const proposals = async (
  db: Kysely<DB>,
  { id = null, entity = null }: { id?: string | null; entity?: string | null | undefined },
): Promise<Proposal[]> => {
  const { rows } = await sql<Proposal>`
    select p.entity_id, p.proposal_id, p.action, p.verdict, p.content, p.content_sha256, p.reason, p.evidence_name, p.evidence_sha256,
      p.prepared_by, p.prepared_at, p.approved_by, p.verdict_reason, m.reversed_by::text as reversed_by
    from books.proposals p
    left join books.manual_entries m using (entity_id, proposal_id)
    where case when ${id}::text is null then p.verdict = 'waiting' else p.proposal_id = ${id} end
      and (${entity}::text is null or p.entity_id = ${entity})
    order by p.prepared_at, p.entity_id, p.proposal_id`.execute(db);
  return rows;
};

/** The first proposal that was altered since it was prepared, by its id; undefined if none was. */
export const firstAltered = async (
  db: Kysely<DB>,
): Promise<Pick<StoredProposal, 'entity_id' | 'proposal_id'> | undefined> => {
  const { rows } = await sql<StoredProposal>`
    select entity_id, proposal_id, content, content_sha256, reason, evidence_sha256, prepared_by
    from decide.proposals order by prepared_at, entity_id, proposal_id`.execute(db);
  return rows.find(isAltered);
};

type Proposed = { readonly proposal: Proposal; readonly isNew: boolean };

/** Stores a proposal; nothing is booked. An identical earlier proposal is returned instead. */
export const propose = async (desk: ApprovalDesk, request: ProposalRequest): Promise<Proposed> => {
  const { db, decider } = desk;
  const id = proposalId(request);
  const [known] = await proposals(db, { id, entity: request.entity });
  if (known) return { proposal: unlessOver(known), isNew: false };
  const { entity, content, reason, by, evidence } = request;
  refuseUnclearName(by);
  const obstacle = await obstacleOf(desk, { entity, content });
  if (obstacle !== null) throw new UsageError(obstacle);
  const text = canonical(content);
  await sql`
    insert into decide.proposals (entity_id, proposal_id, action, content, content_sha256, reason, evidence_name, evidence_sha256,
      prepared_by, prepared_at)
    values (${entity}, ${id}, ${content.action}, ${text}, ${sha256(text)}, ${reason}, ${evidence?.name ?? null},
      ${evidence?.sha256 ?? null}, ${by}, clock_timestamp())`.execute(decider);
  return { proposal: await proposalOf(db, id, entity), isNew: true };
};

/** Why a proposal cannot take effect now; null if nothing prevents it. */
export const obstacleOf = (
  { db, settings }: ApprovalReader,
  { entity, content }: Pick<ProposalRequest, 'entity' | 'content'>,
): Promise<string | null> =>
  isChange(content)
    ? obstacleToChange(db, entity, { change: content, settings })
    : obstacleTo(db, { entity, content });

/** A proposal that was refused, or whose entry was reversed, cannot be proposed again unchanged. */
const unlessOver = (known: Proposal): Proposal => {
  const { proposal_id, verdict, approved_by, verdict_reason, reversed_by } = known;
  if (verdict === 'refused')
    throw new UsageError(
      `proposal ${proposal_id} proposed the same, and ${approved_by} refused it (${verdict_reason}): state in --reason what is different now`,
    );
  if (reversed_by !== null)
    throw new UsageError(
      `proposal ${proposal_id} proposed the same, and its entry was reversed later: state in --reason what is different now`,
    );
  return known;
};

/**
 * The proposal with that id. Throws UsageError if there is none, or one of several entities: whoever prepares them can make two ids
 * equal, and the approver has read only one of the proposals.
 */
export const proposalOf = async (db: Kysely<DB>, id: string, entity: string | null): Promise<Proposal> => {
  const [proposal, ...others] = await proposals(db, { id, entity });
  if (others.length > 0)
    throw new UsageError(
      `several proposals have the id ${id}, of ${[proposal, ...others].map((one) => one?.entity_id).join(', ')}: add --entity ID`,
    );
  if (!proposal)
    throw new UsageError(`no proposal ${id}: npx tieout approve lists those that await approval`);
  return proposal;
};
