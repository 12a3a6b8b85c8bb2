// The nouns of approvals: a proposal, its permanent text and id, and the entry that it becomes after approval. Pure: the
// same proposal gives the same entry in every rebuild.
import { canonical, parseExact } from '../base/json.ts';
import type { Leg } from '../ledger/entry.ts';
import type { EntryName } from '../ledger/entry-id.ts';
import { entryId, entryOf } from '../ledger/ledger.ts';
import type { Entry } from '../ledger/posting.ts';
import { idOfStored } from '../run/run.ts';
import type { Change } from './changes.ts';

type Action = 'open' | 'adjust' | 'settle' | 'reverse';

/** Units from before our history, with their total cost and the day of acquisition. */
export type Lot = {
  readonly account: string;
  readonly currency: string;
  readonly units: string;
  readonly cost: string | null;
  readonly cost_currency: string | null;
  readonly acquired_on: string | null;
};

/** debit, credit, currency, amount. */
type LegText = readonly [string, string, string, string];

/** The content of a proposed entry; every value is text, so that its canonical JSON reads back unchanged. */
export type Content = {
  readonly action: Action;
  readonly effective_at: string;
  readonly description: string;
  readonly legs: readonly LegText[];
  /** The rejected record, that of an own transfer whose fee it is, or the proposal whose entry is reversed. */
  readonly stream?: string;
  readonly record_id?: string;
  readonly version?: string;
  readonly reverses?: string;
  readonly lots?: readonly Lot[];
};

/** Supporting evidence: a file's name and the SHA-256 of its bytes. */
export type Evidence = { readonly name: string; readonly sha256: string };

export type ProposalRequest = {
  readonly entity: string;
  readonly content: Content | Change;
  readonly reason: string;
  readonly by: string;
  readonly evidence: Evidence | null;
};

/** The stream of entries that people make. */
export const MANUAL = 'manual';

export const proposalId = ({ entity, content, reason, evidence, by }: ProposalRequest): string =>
  idOfStored({
    entity_id: entity,
    content: canonical(content),
    reason,
    evidence_sha256: evidence?.sha256 ?? null,
    prepared_by: by,
  });

export const readContent = (text: string): Content => parseExact(text) as Content;

/** Parses a stored proposal: an entry, or a change that books none. */
export const readProposed = (text: string): Content | Change => parseExact(text) as Content | Change;

/** Whether a proposal books no entry. */
export const isChange = (content: Content | Change): content is Change => !('legs' in content);

export const legTextOf = ({ debit, credit, currency, amount }: Leg): LegText => [
  debit,
  credit,
  currency,
  amount,
];

const legFrom = ([debit, credit, currency, amount]: LegText): Leg => ({ debit, credit, currency, amount });

/** An approved proposal, and the period of its entry. */
export type Approved = {
  readonly entity: string;
  readonly proposalId: string;
  readonly content: Content;
  readonly approvedAt: string;
  readonly period: string;
  readonly originalPeriod: string | null;
};

/** A reopening that moves a chain adds a reversal and a repost to it each time. */
const ORDINAL_MAX = 999;

/** The ordinal of a person's entry in its chain, by its id: 1, or higher if a reopening posted it again. */
const ordinalOf = (effectiveAt: string, name: Omit<EntryName, 'ordinal'>, id: string): number => {
  for (let ordinal = 1; ordinal <= ORDINAL_MAX; ordinal += 1)
    if (entryId(effectiveAt, { ...name, ordinal }) === id) return ordinal;
  throw new Error(`${id} is no entry of ${name.stream} ${name.recordId}`);
};

/** The entry of an approved proposal. A reversal comes directly after the entry that it reverses in the chain. */
export const entryFor = ({
  entity,
  proposalId: id,
  content,
  approvedAt,
  period,
  originalPeriod,
}: Approved): Entry => {
  const { action, effective_at, description, legs, record_id, reverses } = content;
  const isReversal = action === 'reverse';
  const draft = {
    kind: isReversal ? 'reversal' : 'manual',
    effectiveAt: effective_at,
    description,
    legs: legs.map(legFrom),
  } as const;
  const name = { entity, stream: MANUAL, recordId: isReversal ? (record_id ?? '') : id };
  const facts = { version: 1, ruleVersion: 1, recordedAt: approvedAt, period, originalPeriod };
  const ordinal = isReversal ? 1 + ordinalOf(effective_at, name, reverses ?? '') : 1;
  const entry = entryOf(draft, { ...name, ...facts, ordinal });
  return isReversal ? { ...entry, reverses: reverses ?? '' } : entry;
};
