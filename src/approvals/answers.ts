// Approvals: another person's answer to a proposal. One transaction stores it and posts the entry or applies the change.
import { type Kysely, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { refuseUnclearName, sameName } from '../base/names.ts';
import type { DB } from '../database/db-types.ts';
import { post } from '../ledger/ledger.ts';
import { databaseTime, isAltered, refuseOtherSettings, storeSettings } from '../run/run.ts';
import type { Change } from './changes.ts';
import { dutiesOf } from './duties.ts';
import { enact } from './effects.ts';
import { placeNow } from './place.ts';
import { type Approved, type Content, entryFor, isChange, readContent, readProposed } from './proposal.ts';
import {
  type ApprovalDesk,
  type ApprovalReader,
  obstacleOf,
  type Proposal,
  proposalOf,
} from './proposals.ts';

type Answer = { readonly id: string; readonly entity: string | null; readonly by: string };

type Answerable = { readonly proposal: Proposal; readonly dutiesVersion: number | null };

/** The proposal, if this person may answer it: not its preparer, unless one person may both prepare and approve. */
const answerable = async (db: Kysely<DB>, { id, entity, by }: Answer): Promise<Answerable> => {
  refuseUnclearName(by);
  const proposal = await proposalOf(db, id, entity);
  const { verdict, approved_by } = proposal;
  if (verdict === 'approved')
    throw new UsageError(
      `proposal ${id} was approved by ${approved_by}: npx tieout verify ledger shows whether it took effect, and the next night computes what follows from it`,
    );
  if (verdict === 'refused') throw new UsageError(`proposal ${id} was refused by ${approved_by}`);
  if (!sameName(proposal.prepared_by, by)) return { proposal, dutiesVersion: null };
  const duties = await dutiesOf(db);
  if (!duties?.is_one_person)
    throw new UsageError(
      `${by} prepared proposal ${id}: another person approves or refuses it (npx tieout approve ${id} --by NAME)`,
    );
  return { proposal, dutiesVersion: duties.version };
};

/** The result of an approval: the entry that it posted and its period; both null for a change. */
type ApprovalResult = {
  readonly proposal: Proposal;
  readonly entryId: string | null;
  readonly period: string | null;
};

/** `beside` writes what other rooms store about it, in the same transaction. */
type Approval = Answer & { readonly beside?: (tx: Kysely<DB>, proposal: Proposal) => Promise<void> };

/** Approves a proposal in one transaction: posts its entry or applies its change. */
export const approve = async (desk: ApprovalDesk, answer: Approval): Promise<ApprovalResult> => {
  const found = await answerable(desk.db, answer);
  const { proposal } = found;
  const content = readProposed(proposal.content);
  const obstacle = await whyOnlyRefused(desk, proposal);
  if (obstacle !== null)
    throw new UsageError(`proposal ${proposal.proposal_id} cannot be approved, only refused: ${obstacle}`);
  const booked = isChange(content)
    ? await enactChange(desk, answer, { ...found, change: content })
    : await bookEntry(desk, answer, { ...found, content });
  return { proposal: await proposalOf(desk.db, proposal.proposal_id, proposal.entity_id), ...booked };
};

/** Why a proposal cannot be approved, only refused; null if nothing prevents an approval. */
export const whyOnlyRefused = async (desk: ApprovalReader, proposal: Proposal): Promise<string | null> =>
  isAltered(proposal)
    ? 'it has changed since it was prepared'
    : obstacleOf(desk, { entity: proposal.entity_id, content: readProposed(proposal.content) });

/** Posts the entry; one with a date in a closed month counts in the first open month. */
const bookEntry = async (
  { db, decider, settings }: ApprovalDesk,
  answer: Approval,
  { proposal, content, dutiesVersion }: Answerable & { readonly content: Content },
): Promise<Omit<ApprovalResult, 'proposal'>> => {
  const { timezone } = settings;
  const place = await placeNow(db, { entity: proposal.entity_id, content, timezone });
  await refuseOtherSettings(db, { entity: proposal.entity_id, ...settings });
  await storeSettings(db, { entity: proposal.entity_id, ...settings }); // this may be the books' first entry
  return decider.transaction().execute(async (tx) => {
    const approvedAt = await databaseTime(tx);
    const approved = {
      entity: proposal.entity_id,
      proposalId: proposal.proposal_id,
      content,
      approvedAt,
      ...place,
    };
    const entry = entryFor(approved);
    await storeAnswer(tx, proposal, { ...approved, verdict: 'approved', by: answer.by, dutiesVersion });
    await post(tx, [entry]);
    await answer.beside?.(tx, proposal);
    return { entryId: entry.id, period: entry.period };
  });
};

const NOWHERE = { period: null, originalPeriod: null } as const;

const enactChange = async (
  { decider }: ApprovalDesk,
  answer: Approval,
  { proposal, change, dutiesVersion }: Answerable & { readonly change: Change },
): Promise<Omit<ApprovalResult, 'proposal'>> => {
  const { entity_id: entity, proposal_id, prepared_by, reason, evidence_name, evidence_sha256 } = proposal;
  const evidence =
    evidence_name !== null && evidence_sha256 !== null
      ? { name: evidence_name, sha256: evidence_sha256 }
      : null;
  await decider.transaction().execute(async (tx) => {
    const approvedAt = await databaseTime(tx);
    await storeAnswer(tx, proposal, {
      verdict: 'approved',
      by: answer.by,
      approvedAt,
      dutiesVersion,
      ...NOWHERE,
    });
    await enact(tx, {
      entity,
      proposalId: proposal_id,
      change,
      by: prepared_by,
      reason,
      evidence,
      at: approvedAt,
    });
    await answer.beside?.(tx, proposal);
  });
  return { entryId: null, period: null };
};

/** Refuses a proposal with a reason. Nothing is posted or changed. */
export const refuse = async (
  { db, decider }: Pick<ApprovalDesk, 'db' | 'decider'>,
  answer: Answer & { readonly reason: string },
): Promise<Proposal> => {
  const { proposal, dutiesVersion } = await answerable(db, answer);
  const { by, reason } = answer;
  await decider.transaction().execute(async (tx) => {
    const approvedAt = await databaseTime(tx);
    await storeAnswer(tx, proposal, {
      verdict: 'refused',
      by,
      reason,
      approvedAt,
      dutiesVersion,
      ...NOWHERE,
    });
  });
  return proposalOf(db, proposal.proposal_id, proposal.entity_id);
};

type StoredAnswer = Pick<Approved, 'approvedAt' | 'originalPeriod'> & {
  readonly verdict: 'approved' | 'refused';
  readonly by: string;
  readonly reason?: string;
  readonly period: string | null;
  /** The version of the setting that lets one person prepare and approve; null if two people did. */
  readonly dutiesVersion: number | null;
};

const storeAnswer = (tx: Kysely<DB>, proposal: Proposal, stored: StoredAnswer) =>
  sql`
  insert into decide.approvals (entity_id, proposal_id, verdict, reason, prepared_by, approved_by, approved_at, period, original_period,
    duties_version)
  values (${proposal.entity_id}, ${proposal.proposal_id}, ${stored.verdict}, ${stored.reason ?? null}, ${proposal.prepared_by}, ${stored.by},
    ${stored.approvedAt}::timestamptz, ${stored.period}, ${stored.originalPeriod}, ${stored.dutiesVersion})`.execute(
    tx,
  );

/** Posts every approved entry again, unchanged: for a rebuild, in the transaction that empties the ledger. */
export const postApproved = async (tx: Kysely<DB>): Promise<void> => {
  const { rows } = await sql<ApprovedRow>`
    select p.entity_id, p.proposal_id, p.content, a.approved_at, a.period, a.original_period
    from decide.proposals p
    join decide.approvals a using (entity_id, proposal_id)
    where a.verdict = 'approved' and a.period is not null
    order by a.approved_at, p.entity_id, p.proposal_id`.execute(tx);
  const entries = rows.map((row) =>
    entryFor({
      entity: row.entity_id,
      proposalId: row.proposal_id,
      content: readContent(row.content),
      approvedAt: row.approved_at,
      period: row.period,
      originalPeriod: row.original_period,
    }),
  );
  const { rows: posted } = await sql<{ id: string }>`
    select entry_id::text as id from ledger.entries where stream = 'manual'`.execute(tx);
  const standing = new Set(posted.map(({ id }) => id)); // chains that a reopening moved are not emptied
  await post(
    tx,
    entries.filter(({ id }) => !standing.has(id)),
  );
};

type ApprovedRow = {
  entity_id: string;
  proposal_id: string;
  content: string;
  approved_at: string;
  period: string;
  original_period: string | null;
};
