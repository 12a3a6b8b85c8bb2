// Status: what a record's status word means for the books. Only a final record is booked, and an unknown word is
// not final: it is a reject, and the record is still asked for again.
import type { WireRecord } from '../streams.ts';
import { readInstant } from '../time.ts';
import { word } from './fields.ts';
import type { Outcome } from './outcome.ts';

/** The words seen (observed.md, "Wallet transactions" and "Trading wallet"); both spellings of cancelled occur. */
const KNOWN = ['completed', 'pending', 'canceled', 'cancelled'] as const;
const CANCELLED: readonly unknown[] = ['canceled', 'cancelled'];

/** The wallet has `waiting-user-information` and others of its kind: all of them wait for something. */
const WAITING = /^waiting(-[a-z-]{1,40})?$/;

/** Whether no later state is expected: completed or cancelled. */
export const isFinalStatus = (status: unknown): boolean =>
  status === 'completed' || CANCELLED.includes(status);

/** The outcome that the status alone decides, or null for a completed record. Throws a Reject for an unknown word. */
export const unbooked = (record: WireRecord): Outcome | null => {
  if (typeof record.status === 'string' && WAITING.test(record.status)) return NOT_FINAL;
  const status = word(record, 'status', KNOWN);
  if (status === 'completed') return null;
  if (status === 'pending') return NOT_FINAL;
  return { outcome: 'set-aside', reason: 'cancelled', cancelledAt: cancelledAt(record) };
};

const NOT_FINAL: Outcome = { outcome: 'set-aside', reason: 'not-final' };

/** A cancellation's own time, null where the gateway gives none that can be read: nothing is booked from it alone. */
const cancelledAt = (record: WireRecord): string | null =>
  readInstant(record.canceledAt ?? record.cancelledAt);
