// Rules: one per stream, the table that says how each record becomes a journal entry, and the two questions that
// may be asked about a record that is not final yet. Pure: no clock, no database, no gateway.

import type { StreamName, WireRecord } from '../base/streams.ts';
import type { Draft } from '../ledger/entry.ts';
import { earnMovement } from './earn-movements.ts';
import { isGiven, Reject } from './fields.ts';
import { movement } from './movements.ts';
import type { RecordOutcome, Rule, RuleContext } from './outcome.ts';
import { isFinalStatus } from './status.ts';
import { trade } from './trades.ts';
import { walletTransaction } from './wallet-transactions.ts';

export type Rules = Readonly<Record<StreamName, { readonly version: number; readonly rule: Rule }>>;

/** Every stream's rule. The version goes up when the rule would make something else of a record it booked before. */
export const RULES: Rules = {
  movements: { version: 2, rule: movement },
  trades: { version: 1, rule: trade },
  'wallet-transactions': { version: 2, rule: walletTransaction },
  'earn-movements': { version: 2, rule: earnMovement },
};

/** Records that are final when they are seen: a trade, and an Earn movement in the older form, which has no status. */
const isFinalWhenSeen = (stream: StreamName, record: WireRecord): boolean =>
  stream === 'trades' || (stream === 'earn-movements' && !isGiven(record, 'status'));

/** What a record becomes. A reject is an outcome; any other error is a fault of ours and goes through. */
export const applyRule = (stream: StreamName, record: WireRecord, context: RuleContext): RecordOutcome =>
  outcomeBy(RULES[stream].rule, record, context);

/** What a record becomes by one rule. */
export const outcomeBy = (rule: Rule, record: WireRecord, context: RuleContext): RecordOutcome => {
  try {
    return rule(record, context);
  } catch (error) {
    if (error instanceof Reject) return { outcome: 'rejected', reason: error.message };
    throw error;
  }
};

/** Whether no later state of the record is expected. Cancelled is final; an unknown status is not. */
export const isFinal = (stream: StreamName, record: WireRecord): boolean =>
  isFinalWhenSeen(stream, record) || isFinalStatus(record.status);

/**
 * The draft that a record not yet final would give if it completed now with its amounts as they stand: what may
 * explain a difference that is `pending`. Null for a final record, and where it cannot be told.
 */
export const effectOfNonFinal = (
  stream: StreamName,
  record: WireRecord,
  context: RuleContext,
): Draft | null => {
  if (isFinal(stream, record)) return null;
  const outcome = applyRule(stream, { ...record, status: 'completed' }, context);
  return outcome.outcome === 'booked' ? outcome.draft : null;
};
