// Deciding: what people ask to be entered, what others say to it, and what need not be entered at all.
import {
  adjustment,
  approve,
  type Content,
  cautionsOf,
  type Desk,
  dismiss,
  type Evidence,
  type Opening,
  openingContent,
  type Proposal,
  proposals,
  propose,
  readContent,
  refuse,
  rejectedOf,
  reversal,
  settlement,
} from '../src/decide/decide.ts';
import type { Leg } from '../src/ledger/entry.ts';
import { decided } from './close.ts';
import { keptEntities } from './entities.ts';
import { valueAll } from './values.ts';
import type { Result, Signer, Work } from './work.ts';

/** Who asks, and why. `only` is the entity that was named, if any. */
export type Signature = {
  readonly only?: string | undefined;
  readonly by: string;
  readonly reason: string;
  readonly evidence: Evidence | null;
};

/** A proposal, what it asks for, and what the other person should know. */
export type Shown = {
  readonly proposal: Proposal;
  readonly content: Content;
  readonly cautions: readonly string[];
};
export type Done = { readonly result: Result; readonly shown: Shown; readonly isNew: boolean };

const desk = async (work: Work, signer: Signer): Promise<Desk> => ({
  db: work.db,
  decider: await work.as(signer),
});

/** The one entity that something is entered for: the one named, or the main account's. */
const entityOf = async (work: Work, only: string | undefined): Promise<string> => {
  const entity = only ?? work.config.entity;
  await keptEntities(work, entity);
  return entity;
};

const asked = async (
  work: Work,
  { by, reason, evidence }: Signature,
  it: { readonly entity: string; readonly content: Content },
): Promise<Done> => {
  const { proposal, isNew } = await propose(await desk(work, 'preparer'), { ...it, by, reason, evidence });
  const { proposal_id: id, action, verdict, approved_by } = proposal;
  const told = verdict === 'waiting' ? 'waits for another person' : `was approved by ${approved_by}`;
  const summary = `proposal ${id} (${action}) of ${it.entity} by ${by} ${isNew ? '' : 'was asked for before and '}${told}`;
  return { result: decided(0, summary), shown: await shownOf(work, proposal), isNew };
};

const shownOf = async ({ db }: Pick<Work, 'db'>, proposal: Proposal): Promise<Shown> => {
  const content = readContent(proposal.content);
  return { proposal, content, cautions: await cautionsOf(db, { entity: proposal.entity_id, content }) };
};

/** Proposes what stood before our history. */
export const open = async (work: Work, opening: Opening, signature: Signature): Promise<Done> => {
  const entity = await entityOf(work, signature.only);
  return asked(work, signature, { entity, content: openingContent(opening) });
};

/** Proposes an entry that no record tells. */
export const adjust = async (
  work: Work,
  { legs, at }: { readonly legs: readonly Leg[]; readonly at: string },
  signature: Signature,
): Promise<Done> => {
  const entity = await entityOf(work, signature.only);
  return asked(work, signature, { entity, content: adjustment(at, legs) });
};

/** Proposes to undo an entry that people made. */
export const unadjust = async (work: Work, entryId: string, signature: Signature): Promise<Done> =>
  asked(work, signature, await reversal(work.db, entryId, signature.only ?? null));

export type RecordAsked = { readonly stream: string; readonly recordId: string };

/** Proposes an entry for a rejected record. */
export const settle = async (
  work: Work,
  what: RecordAsked & { readonly legs: readonly Leg[]; readonly at: string | null },
  signature: Signature,
): Promise<Done> => {
  const rejected = await rejectedOf(work.db, { ...what, entity: signature.only ?? null });
  const content = settlement(rejected, what.legs, what.at);
  return asked(work, signature, { entity: rejected.entity, content });
};

/** Puts a rejected record aside; it books nothing, and stays counted as rejected. */
export const dismissReject = async (
  work: Work,
  what: RecordAsked,
  { only, by, reason }: Omit<Signature, 'evidence'>,
): Promise<Result> => {
  const it = await dismiss(await desk(work, 'preparer'), { ...what, entity: only ?? null, by, reason });
  return decided(0, `${it.stream} ${it.recordId} of ${it.entity} dismissed by ${by}: ${reason}`);
};

/** Proposals that wait, with what the other person should know. */
export const waiting = async (db: Work['db'], only: string | undefined): Promise<Shown[]> => {
  const shown: Shown[] = [];
  for (const proposal of await proposals(db, { entity: only })) shown.push(await shownOf({ db }, proposal));
  return shown;
};

export type AnswerAsked = { readonly id: string; readonly only?: string | undefined; readonly by: string };

/** Approves a proposal: its entry stands from now on. */
export const approveProposal = async (work: Work, { id, only, by }: AnswerAsked): Promise<Result> => {
  const { timezone, currency } = work.config;
  const answer = { id, entity: only ?? null, by, timezone, currency };
  const { proposal, entryId, period } = await approve(await desk(work, 'approver'), answer);
  await valueAll(work);
  return decided(
    0,
    `proposal ${id} (${proposal.action}) of ${proposal.entity_id} approved by ${by}: entry ${entryId} counts in ${period}`,
  );
};

/** Refuses a proposal: nothing is booked. */
export const refuseProposal = async (
  work: Work,
  { id, only, by, reason }: AnswerAsked & { readonly reason: string },
): Promise<Result> => {
  const { entity_id } = await refuse(await desk(work, 'approver'), { id, entity: only ?? null, by, reason });
  return decided(0, `proposal ${id} of ${entity_id} refused by ${by}: ${reason}`);
};
