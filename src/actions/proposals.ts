// Actions on proposals: propose entries, approve or refuse them, and dismiss rejects.
import { pairAndValue } from '../../jobs/book.ts';
import {
  type ApprovalDesk,
  adjustment,
  approve,
  type Change,
  type Content,
  cautionsOf,
  dismissal,
  dutiesOf,
  type Evidence,
  isChange,
  type Opening,
  openingContent,
  type Proposal,
  proposals,
  propose,
  readProposed,
  refuse,
  rejectedOf,
  reversal,
  settlement,
  whyOnlyRefused,
  withTransfer,
} from '../approvals/approvals.ts';
import { findBreak, waiveBreak } from '../breaks/breaks.ts';
import type { Leg } from '../ledger/entry.ts';
import { bookedEntities, offlineResult, settingsOf } from '../run/run.ts';
import type { Result, Signer, Work } from '../run/work.ts';
import { closedCounterpartyTypes } from './closed-counterparty-types.ts';

/** Who proposes, and why. `only` is the entity given by the user, if any. */
export type Signature = {
  readonly only?: string | undefined;
  readonly by: string;
  readonly reason: string;
  readonly evidence: Evidence | null;
};

/** A proposal, its content, and what the approver should know. */
export type ProposalView = {
  readonly proposal: Proposal;
  readonly content: Content | Change;
  readonly cautions: readonly string[];
  /** Why it can only be refused, if it waits and cannot be approved. */
  readonly obstacle: string | null;
};

/** `shown` is null if there was nothing to propose. */
export type SubmittedProposal = {
  readonly result: Result;
  readonly shown: ProposalView | null;
  readonly isNew: boolean;
};

const desk = async (work: Work, signer: Signer): Promise<ApprovalDesk> => ({
  db: work.db,
  decider: await work.as(signer),
  settings: settingsOf(work.config),
});

/** The entity of the new entry: the given one, or the main account's. */
export const entityOf = async (work: Work, only: string | undefined): Promise<string> => {
  const entity = only ?? work.config.entity;
  await bookedEntities(work, entity);
  return entity;
};

/** Proposes an entry or a change; if one person may prepare and approve, approves it at once. */
export const submitProposal = async (
  work: Work,
  { by, reason, evidence }: Signature,
  item: { readonly entity: string; readonly content: Content | Change },
): Promise<SubmittedProposal> => {
  const { proposal, isNew } = await propose(await desk(work, 'preparer'), { ...item, by, reason, evidence });
  const { proposal_id: id, action, verdict, approved_by } = proposal;
  if (verdict === 'waiting' && (await dutiesOf(work.db))?.is_one_person) {
    const result = await approveProposal(work, { id, only: item.entity, by });
    const [approved = proposal] = await proposals(work.db, { id, entity: item.entity });
    return { result, shown: await proposalView(work, approved), isNew };
  }
  const state = verdict === 'waiting' ? 'awaits approval' : `was approved by ${approved_by}`;
  const summary = `proposal ${id} (${action}) of ${item.entity} by ${by} ${isNew ? '' : 'was already proposed and '}${state}`;
  return { result: offlineResult(0, summary), shown: await proposalView(work, proposal), isNew };
};

type Reading = Pick<Work, 'db' | 'config'>;

const proposalView = async ({ db, config }: Reading, proposal: Proposal): Promise<ProposalView> => {
  const content = readProposed(proposal.content);
  const { entity_id: entity, proposal_id: proposalId } = proposal;
  const settings = settingsOf(config);
  const { timezone } = settings;
  const cautions = isChange(content) ? [] : await cautionsOf(db, { entity, content, proposalId, timezone });
  const isWaiting = proposal.verdict === 'waiting';
  const obstacle = isWaiting ? await whyOnlyRefused({ db, settings }, proposal) : null;
  return { proposal, content, cautions, obstacle };
};

/** Proposes opening balances from before our history. */
export const open = async (
  work: Work,
  opening: Opening,
  signature: Signature,
): Promise<SubmittedProposal> => {
  const entity = await entityOf(work, signature.only);
  return submitProposal(work, signature, { entity, content: openingContent(opening) });
};

/** Proposes an entry for an event that no record shows; `transfer`: the record of an own transfer whose fee it is. */
export const adjust = async (
  work: Work,
  { legs, at: effectiveAt, transfer }: Adjusted,
  signature: Signature,
): Promise<SubmittedProposal> => {
  const entity = await entityOf(work, signature.only);
  const content = await withTransfer(work.db, { entity, content: adjustment(effectiveAt, legs) }, transfer);
  return submitProposal(work, signature, { entity, content });
};

type Adjusted = {
  readonly legs: readonly Leg[];
  readonly at: string;
  readonly transfer?: string | undefined;
};

/** Proposes the reversal of an entry that people made. */
export const reverseEntry = async (
  work: Work,
  entryId: string,
  signature: Signature,
): Promise<SubmittedProposal> =>
  submitProposal(work, signature, await reversal(work.db, entryId, signature.only ?? null));

type RecordRequest = { readonly stream: string; readonly recordId: string };

/** Proposes an entry for a rejected record. */
export const settle = async (
  work: Work,
  what: RecordRequest & { readonly legs: readonly Leg[]; readonly at: string | null },
  signature: Signature,
): Promise<SubmittedProposal> => {
  const rejected = await rejectedOf(work.db, { ...what, entity: signature.only ?? null });
  const content = settlement(rejected, what.legs, what.at);
  return submitProposal(work, signature, { entity: rejected.entity, content });
};

/** Proposes to dismiss a rejected record; it books nothing, and the record still counts as rejected. */
export const dismissReject = async (
  work: Work,
  what: RecordRequest,
  signature: Omit<Signature, 'evidence'>,
): Promise<SubmittedProposal> => {
  const rejected = await rejectedOf(work.db, { ...what, entity: signature.only ?? null });
  const content = dismissal(rejected);
  return submitProposal(work, { ...signature, evidence: null }, { entity: rejected.entity, content });
};

/** Proposals awaiting approval, with what the approver should know. */
export const waiting = async (reading: Reading, only: string | undefined): Promise<ProposalView[]> => {
  const shown: ProposalView[] = [];
  for (const proposal of await proposals(reading.db, { entity: only }))
    shown.push(await proposalView(reading, proposal));
  return shown;
};

type AnswerRequest = { readonly id: string; readonly only?: string | undefined; readonly by: string };

/** Approves a proposal: its entry is posted, or its change is in force. */
export const approveProposal = async (work: Work, { id, only, by }: AnswerRequest): Promise<Result> => {
  const before = await closedCounterpartyTypes(work.db);
  const answer = { id, entity: only ?? null, by, beside: alsoApproved(work) };
  const { proposal, entryId, period } = await approve(await desk(work, 'approver'), answer);
  await pairAndValue(work);
  const after = await closedCounterpartyTypes(work.db);
  const otherwise = [...after].flatMap(([month, mark]) => (before.get(month) === mark ? [] : [month]));
  const content = readProposed(proposal.content);
  const done =
    entryId === null ? `${content.description} took effect` : `entry ${entryId} counts in ${period}`;
  const stays =
    otherwise.length === 0
      ? ''
      : `; ${otherwise.join(', ')}: closed, and valued as before until it is reopened`;
  return offlineResult(
    0,
    `proposal ${id} (${proposal.action}) of ${proposal.entity_id} approved by ${by}: ${done}${stays}`,
  );
};

const alsoApproved =
  (work: Work) =>
  async (tx: Work['db'], { content: text, entity_id, prepared_by, reason }: Proposal): Promise<void> => {
    const content = readProposed(text);
    if (content.action !== 'waive' || !isChange(content)) return;
    const found = await findBreak(work.db, content.break_id, entity_id);
    await waiveBreak(tx, work.run, {
      found,
      by: prepared_by,
      reason: `waived for ${content.period}: ${reason}`,
    });
  };

/** Refuses a proposal: nothing is booked. */
export const refuseProposal = async (
  work: Work,
  { id, only, by, reason }: AnswerRequest & { readonly reason: string },
): Promise<Result> => {
  const { entity_id } = await refuse(await desk(work, 'approver'), { id, entity: only ?? null, by, reason });
  return offlineResult(0, `proposal ${id} of ${entity_id} refused by ${by}: ${reason}`);
};
