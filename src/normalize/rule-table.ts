// Rules: the table of rules, one per stream, that turn records into journal entries; and two questions about records that
// are not final yet. Pure: no clock, no database, no gateway.

import {
  isReference,
  type LandedStream,
  REFERENCE_NAMES,
  type ReferenceName,
  type WireRecord,
} from '../base/streams.ts';
import type { Draft } from '../ledger/entry.ts';
import { earnMovement } from './earn-movements.ts';
import { isGiven, Reject } from './fields.ts';
import { movement } from './movements.ts';
import type { RecordOutcome, Rule, RuleContext } from './outcome.ts';
import { isFinalStatus } from './status.ts';
import { trade } from './trades.ts';
import { walletTransaction } from './wallet-transactions.ts';

export type Rules = Readonly<Record<LandedStream, { readonly version: number; readonly rule: Rule }>>;

/** A record that moves no money and explains others. */
const reference: Rules[LandedStream] = {
  version: 1,
  rule: () => ({ outcome: 'set-aside', reason: 'reference' }),
};

const references = Object.fromEntries(REFERENCE_NAMES.map((stream) => [stream, reference])) as Record<
  ReferenceName,
  typeof reference
>;

/** Every stream's rule. Raise the version if the rule would book a record differently than before, or give another reason. */
export const RULES: Rules = {
  movements: { version: 1, rule: movement },
  trades: { version: 1, rule: trade },
  'wallet-transactions': { version: 1, rule: walletTransaction },
  'earn-movements': { version: 1, rule: earnMovement },
  ...references,
};

/** Records that are final from the start: a trade, an Earn movement in the older form, which has no status, and what moves no money. */
const isFinalWhenSeen = (stream: LandedStream, record: WireRecord): boolean =>
  isReference(stream) || stream === 'trades' || (stream === 'earn-movements' && !isGiven(record, 'status'));

/** The outcome of a record. A reject is an outcome; any other error is a bug and is thrown. */
export const applyRule = (stream: LandedStream, record: WireRecord, context: RuleContext): RecordOutcome =>
  outcomeBy(RULES[stream].rule, record, context);

/** The outcome of a record by one rule. */
export const outcomeBy = (rule: Rule, record: WireRecord, context: RuleContext): RecordOutcome => {
  try {
    return rule(record, context);
  } catch (error) {
    if (error instanceof Reject) return { outcome: 'rejected', reason: error.message };
    throw error;
  }
};

/** Whether no later state of the record is expected. Cancelled is final; an unknown status is not. */
export const isFinal = (stream: LandedStream, record: WireRecord): boolean =>
  isFinalWhenSeen(stream, record) || isFinalStatus(record.status);

/**
 * The draft of a record that is not final, as if it completed now with its current amounts: it may explain a `pending`
 * difference. Null for a final record, and if it cannot be known.
 */
export const effectOfNonFinal = (
  stream: LandedStream,
  record: WireRecord,
  context: RuleContext,
): Draft | null => {
  if (isFinal(stream, record)) return null;
  const outcome = applyRule(stream, { ...record, status: 'completed' }, context);
  return outcome.outcome === 'booked' ? outcome.draft : null;
};
