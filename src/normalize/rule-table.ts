// Rules: the table of rules, one per stream, that turn records into journal entries; and two questions about records that
// are not final yet. Pure: no clock, no database, no gateway.

import {
  isReference,
  type LandedStream,
  REFERENCE_NAMES,
  type ReferenceName,
  timeFieldOf,
  type WireRecord,
} from '../base/streams.ts';
import type { Draft } from '../ledger/entry.ts';
import { earnMovement } from './earn-movements.ts';
import { isGiven, Reject } from './fields.ts';
import { movement } from './movements.ts';
import type { RecordOutcome, Rule, RuleContext } from './outcome.ts';
import { isFinalStatus } from './status.ts';
import { trade } from './trades.ts';
import { timeFieldOfWallet, walletTransaction } from './wallet-transactions.ts';

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
 * The legs of a record that is not final, as if it completed now with its current amounts: it may explain a `pending` difference.
 * Null for a final record, and if they cannot be known.
 */
export const effectOfNonFinal = (
  stream: LandedStream,
  record: WireRecord,
  context: RuleContext,
): Draft['legs'] | null => {
  if (isFinal(stream, record)) return null;
  const timeField = stream === 'wallet-transactions' ? timeFieldOfWallet(record) : timeFieldOf(stream);
  const completed = { ...record, status: 'completed', [timeField]: ANY_TIME };
  const outcome = applyRule(stream, completed, context);
  return outcome.outcome === 'booked' ? outcome.draft.legs : null;
};

/** The legs do not depend on the time, which may be unreadable as long as the record is not final. */
const ANY_TIME = '2000-01-01T00:00:00.000Z';
