// The nouns of decisions: what a person asks to be entered, the text and id that it has for ever, and the entry that it
// becomes once another person agreed. Pure: the same proposal gives the same entry in every rebuild.
import { canonical, parseExact, sha256 } from '../base/json.ts';
import type { Leg } from '../ledger/entry.ts';
import { type EntryName, entryId } from '../ledger/entry-id.ts';
import { type Entry, entryOf } from '../ledger/ledger.ts';
import type { Change } from './changes.ts';

export type Action = 'open' | 'adjust' | 'settle' | 'reverse';

/** Units that were there before our history, with what they cost altogether and the day they came. */
export type Lot = {
  readonly account: string;
  readonly currency: string;
  readonly units: string;
  readonly cost: string | null;
  readonly cost_currency: string | null;
  readonly acquired_on: string | null;
};

/** debit, credit, currency, amount. */
export type LegText = readonly [string, string, string, string];

/** What is asked for, every value text, so that its canonical JSON reads back as it was written. */
export type Content = {
  readonly action: Action;
  readonly effective_at: string;
  readonly description: string;
  readonly legs: readonly LegText[];
  /** The record that is settled, or the proposal whose entry is reversed. */
  readonly stream?: string;
  readonly record_id?: string;
  readonly version?: string;
  readonly reverses?: string;
  readonly lots?: readonly Lot[];
};

/** What a person shows for it: the name of a file and the SHA-256 of its bytes. */
export type Evidence = { readonly name: string; readonly sha256: string };

export type ProposalRequest = {
  readonly entity: string;
  readonly content: Content | Change;
  readonly reason: string;
  readonly by: string;
  readonly evidence: Evidence | null;
};

/** The stream of what people enter. */
export const MANUAL = 'manual';

/** Twelve hex digits of everything that was asked, by whom and why: asking twice is asking once. */
export const proposalId = ({ entity, content, reason, evidence, by }: ProposalRequest): string =>
  sha256(canonical([entity, content, reason, evidence?.sha256 ?? null, by])).slice(0, 12);

export const contentText = (content: Content | Change): string => canonical(content);

export const readContent = (text: string): Content => parseExact(text) as Content;

/** Whatever was proposed: an entry, or a change that books none. */
export const readProposed = (text: string): Content | Change => parseExact(text) as Content | Change;

/** Whether what was proposed books no entry. */
export const isChange = (content: Content | Change): content is Change => !('legs' in content);

export const legTextOf = ({ debit, credit, currency, amount }: Leg): LegText => [
  debit,
  credit,
  currency,
  amount,
];

const legFrom = ([debit, credit, currency, amount]: LegText): Leg => ({ debit, credit, currency, amount });

/** A proposal that another person agreed to, and where its entry counts. */
export type Approved = {
  readonly entity: string;
  readonly proposalId: string;
  readonly content: Content;
  readonly approvedAt: string;
  readonly period: string;
  readonly belongsTo: string | null;
};

/** A chain that a reopening moved has some more entries in it, each time an undoing and a repost. */
const ORDINAL_MAX = 999;

/** Where a person's entry stands in its chain, by its id: 1, or later where a reopening posted it again. */
const ordinalOf = (effectiveAt: string, name: Omit<EntryName, 'ordinal'>, id: string): number => {
  for (let ordinal = 1; ordinal <= ORDINAL_MAX; ordinal += 1)
    if (entryId(effectiveAt, { ...name, ordinal }) === id) return ordinal;
  throw new Error(`${id} is no entry of ${name.stream} ${name.recordId}`);
};

/** The one entry of an approved proposal. A reversal stands next after what it undoes in its chain. */
export const entryFor = ({
  entity,
  proposalId: id,
  content,
  approvedAt,
  period,
  belongsTo,
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
  const facts = { version: 1, ruleVersion: 1, recordedAt: approvedAt, period, belongsTo };
  const ordinal = isReversal ? 1 + ordinalOf(effective_at, name, reverses ?? '') : 1;
  const entry = entryOf(draft, { ...name, ...facts, ordinal });
  return isReversal ? { ...entry, reverses: reverses ?? '' } : entry;
};
