// Status: what a record's status word means for the books. Only a completed record is booked. An unknown word is not
// final: it is a reject, and the record is still asked for again.
import type { WireRecord } from '../base/streams.ts';
import { readInstant } from '../base/time.ts';
import { word } from './fields.ts';
import type { RecordOutcome } from './outcome.ts';

/** Final, and nothing moved: all of them are set aside as `cancelled`. Both spellings of that word occur. */
const CANCELLED = ['canceled', 'cancelled', 'failed', 'expired', 'rejected', 'error'] as const;

/** The words seen (observed.md, "Wallet transactions", "Trading wallet" and "Teller, social pay"). */
const KNOWN = ['completed', 'pending', ...CANCELLED] as const;

/** The wallet has `waiting-user-information` and others of its kind: all of them wait for something. */
const WAITING = /^waiting(-[a-z-]{1,40})?$/;

/** Whether no later state is expected: completed, or ended without any effect. */
export const isFinalStatus = (status: unknown): boolean =>
  status === 'completed' || CANCELLED.some((word) => word === status);

/** The outcome that the status alone decides, or null for a completed record. Throws a Reject for an unknown word. */
export const unbooked = (record: WireRecord): RecordOutcome | null => {
  if (typeof record.status === 'string' && WAITING.test(record.status)) return NOT_FINAL;
  const status = word(record, 'status', KNOWN);
  if (status === 'completed') return null;
  if (status === 'pending') return NOT_FINAL;
  return { outcome: 'set-aside', reason: 'cancelled', cancelledAt: cancelledAt(record) };
};

const NOT_FINAL: RecordOutcome = { outcome: 'set-aside', reason: 'not-final' };

/** A cancellation's own time, null where the gateway gives none that can be read: nothing is booked from it alone. */
const cancelledAt = (record: WireRecord): string | null =>
  readInstant(record.canceledAt ?? record.cancelledAt);
