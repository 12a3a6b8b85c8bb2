// The front door of the decide room: what people enter. One person proposes, another approves or refuses, and only then
// does an entry stand. What was decided is kept apart from all that is derived, so that a rebuild enters it again.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db-types.ts';
import { UsageError } from '../errors.ts';
import { post } from '../ledger/ledger.ts';
import { placeOf, sealsOf } from '../ledger/period.ts';
import { sameName } from '../names.ts';
import { keepSettings, refuseOtherSettings } from '../settings.ts';
import { isoOf, nowMs } from '../time.ts';
import { obstacleTo } from './obstacles.ts';
import { type Approved, type Asked, contentText, entryFor, proposalId, readContent } from './proposal.ts';

export { adjustment, openingContent, reversal, settlement } from './contents.ts';
export { importRules, type Rule, readRules } from './counterparties.ts';
export { evidenceOf } from './evidence.ts';
export { readLeg } from './legs.ts';
export { cautionsOf } from './obstacles.ts';
export { OPENING_COLUMNS, type Opening, readOpening } from './opening.ts';
export { keepOutsideLots, type OutsideFile, readOutsideLots } from './outside-lots.ts';
export {
  type Changed,
  keepProfiles,
  type Profile,
  type ProfileField,
  profilesOf,
  profileValue,
  readProfiles,
  type Wanted,
} from './profiles.ts';
export { type Asked, type Content, type Evidence, readContent } from './proposal.ts';
export { dismiss, type Rejected, rejectedOf } from './rejects.ts';
export { isWaived, waive } from './waivers.ts';

/** Reads through `db`; writes as `decider`, whose role may write decisions. The caller holds the writer's lock. */
export type Desk = { readonly db: Kysely<DB>; readonly decider: Kysely<DB> };

export type Proposal = {
  readonly entity_id: string;
  readonly proposal_id: string;
  readonly action: string;
  readonly verdict: 'waiting' | 'approved' | 'refused';
  readonly content: string;
  readonly reason: string;
  readonly evidence_name: string | null;
  readonly evidence_sha256: string | null;
  readonly prepared_by: string;
  readonly prepared_at: string;
  readonly approved_by: string | null;
  readonly verdict_reason: string | null;
  /** What undid its entry. */
  readonly reversed_by: string | null;
};

/** Proposals, those that wait or one by its id, oldest first. */
export const proposals = async (
  db: Kysely<DB>,
  { id = null, entity = null }: { id?: string | null; entity?: string | null | undefined },
): Promise<Proposal[]> => {
  const { rows } = await sql<Proposal>`
    select p.entity_id, p.proposal_id, p.action, p.verdict, p.content, p.reason, p.evidence_name, p.evidence_sha256,
      p.prepared_by, p.prepared_at, p.approved_by, p.verdict_reason, m.reversed_by::text as reversed_by
    from books.proposals p
    left join books.manual_entries m using (entity_id, proposal_id)
    where case when ${id}::text is null then p.verdict = 'waiting' else p.proposal_id = ${id} end
      and (${entity}::text is null or p.entity_id = ${entity})
    order by p.prepared_at, p.entity_id, p.proposal_id`.execute(db);
  return rows;
};

export type Proposed = { readonly proposal: Proposal; readonly isNew: boolean };

/** Writes down what somebody asks for; nothing is booked. What was asked before, word for word, is found again. */
export const propose = async ({ db, decider }: Desk, asked: Asked): Promise<Proposed> => {
  const id = proposalId(asked);
  const [known] = await proposals(db, { id, entity: asked.entity });
  if (known) return { proposal: unlessOver(known), isNew: false };
  const obstacle = await obstacleTo(db, asked);
  if (obstacle !== null) throw new UsageError(obstacle);
  const { entity, content, reason, by, evidence } = asked;
  await sql`
    insert into decide.proposals (entity_id, proposal_id, action, content, reason, evidence_name, evidence_sha256, prepared_by,
      prepared_at)
    values (${entity}, ${id}, ${content.action}, ${contentText(content)}, ${reason}, ${evidence?.name ?? null},
      ${evidence?.sha256 ?? null}, ${by}, ${isoOf(nowMs())}::timestamptz)`.execute(decider);
  return { proposal: await proposalOf(db, id, entity), isNew: true };
};

/** What was refused, or booked and undone since, is not asked for again in the same words. */
const unlessOver = (known: Proposal): Proposal => {
  const { proposal_id, verdict, approved_by, verdict_reason, reversed_by } = known;
  if (verdict === 'refused')
    throw new UsageError(
      `proposal ${proposal_id} asked for the same, and ${approved_by} refused it (${verdict_reason}): say in --reason what is different`,
    );
  if (reversed_by !== null)
    throw new UsageError(
      `proposal ${proposal_id} asked for the same, and its entry was reversed since: say in --reason what is different`,
    );
  return known;
};

const proposalOf = async (db: Kysely<DB>, id: string, entity: string | null): Promise<Proposal> => {
  const [it] = await proposals(db, { id, entity });
  if (!it) throw new UsageError(`there is no proposal ${id}: tieout approve lists those that wait`);
  return it;
};

export type Answer = { readonly id: string; readonly entity: string | null; readonly by: string };

/** A proposal that another person may answer. */
const answerable = async (db: Kysely<DB>, { id, entity, by }: Answer): Promise<Proposal> => {
  const it = await proposalOf(db, id, entity);
  if (it.verdict !== 'waiting') throw new UsageError(`proposal ${id} was ${it.verdict} by ${it.approved_by}`);
  if (sameName(it.prepared_by, by))
    throw new UsageError(`${by} prepared proposal ${id}: another person approves or refuses it`);
  return it;
};

/** Approves a proposal and posts its entry, in one transaction; what took effect in a closed month counts in the open one. */
export const approve = async (
  { db, decider }: Desk,
  answer: Answer & { readonly timezone: string; readonly currency: string },
): Promise<{ proposal: Proposal; entryId: string; period: string }> => {
  const it = await answerable(db, answer);
  const content = readContent(it.content);
  const obstacle = await obstacleTo(db, { entity: it.entity_id, content });
  if (obstacle !== null)
    throw new UsageError(`proposal ${it.proposal_id} cannot be approved, only refused: ${obstacle}`);
  const seals = await sealsOf(db, it.entity_id);
  const { timezone, currency } = answer;
  const approved: Approved = {
    ...{ entity: it.entity_id, proposalId: it.proposal_id, content, approvedAt: isoOf(nowMs()) },
    ...placeOf(content.effective_at, { timezone, seals, request: null }),
  };
  const entry = entryFor(approved);
  await refuseOtherSettings(db, { entity: it.entity_id, timezone, currency });
  await keepSettings(db, { entity: it.entity_id, timezone, currency }); // this may be the first entry
  await decider.transaction().execute(async (tx) => {
    await storeAnswer(tx, it, { ...approved, by: answer.by });
    await post(tx, [entry]);
  });
  return {
    proposal: await proposalOf(db, it.proposal_id, it.entity_id),
    entryId: entry.id,
    period: entry.period,
  };
};

/** Refuses a proposal, with a reason; nothing is booked. */
export const refuse = async (
  { db, decider }: Desk,
  answer: Answer & { readonly reason: string },
): Promise<Proposal> => {
  const it = await answerable(db, answer);
  const { by, reason } = answer;
  await storeAnswer(decider, it, { by, reason, approvedAt: isoOf(nowMs()), period: null, belongsTo: null });
  return proposalOf(db, it.proposal_id, it.entity_id);
};

type Stored = Pick<Approved, 'approvedAt' | 'belongsTo'> & {
  readonly by: string;
  readonly reason?: string;
  readonly period: string | null;
};

const storeAnswer = (tx: Kysely<DB>, it: Proposal, { by, reason, approvedAt, period, belongsTo }: Stored) =>
  sql`
  insert into decide.approvals (entity_id, proposal_id, verdict, reason, prepared_by, approved_by, approved_at, period, belongs_to)
  values (${it.entity_id}, ${it.proposal_id}, ${period === null ? 'refused' : 'approved'}, ${reason ?? null}, ${it.prepared_by},
    ${by}, ${approvedAt}::timestamptz, ${period}, ${belongsTo})`.execute(tx);

/** Enters everything that was approved again, as it was: for a rebuild, in the transaction that empties the ledger. */
export const postApproved = async (tx: Kysely<DB>): Promise<void> => {
  const { rows } = await sql<ApprovedRow>`
    select p.entity_id, p.proposal_id, p.content, a.approved_at, a.period, a.belongs_to
    from decide.proposals p
    join decide.approvals a using (entity_id, proposal_id)
    where a.verdict = 'approved'
    order by a.approved_at, p.entity_id, p.proposal_id`.execute(tx);
  await post(
    tx,
    rows.map((row) =>
      entryFor({
        ...{ entity: row.entity_id, proposalId: row.proposal_id, content: readContent(row.content) },
        ...{ approvedAt: row.approved_at, period: row.period, belongsTo: row.belongs_to },
      }),
    ),
  );
};

type ApprovedRow = {
  entity_id: string;
  proposal_id: string;
  content: string;
  approved_at: string;
  period: string;
  belongs_to: string | null;
};
