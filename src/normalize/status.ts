// Status: the meaning of a record's status for the books. Only a completed record is booked. An unknown status is a reject
// and not final: the record is requested again.
import type { WireRecord } from '../base/streams.ts';
import { readInstant } from '../base/time.ts';
import { word } from './fields.ts';
import type { RecordOutcome } from './outcome.ts';

/** Final without any effect: all of them are set aside as `cancelled`. Both spellings occur. */
const CANCELLED = ['canceled', 'cancelled', 'failed', 'expired', 'rejected', 'error'] as const;

/** The words that records have. */
const KNOWN = ['completed', 'pending', ...CANCELLED] as const;

/** The wallet has `waiting-user-information` and similar words: all of them mean pending. */
const WAITING = /^waiting(-[a-z-]{1,40})?$/;

/** Whether no later state is expected: completed, or ended without any effect. */
export const isFinalStatus = (status: unknown): boolean =>
  status === 'completed' || CANCELLED.some((word) => word === status);

/** The outcome that follows from the status alone, or null for a completed record. Throws a Reject for an unknown word. */
export const unbooked = (record: WireRecord): RecordOutcome | null => {
  if (typeof record.status === 'string' && WAITING.test(record.status)) return NOT_FINAL;
  const status = word(record, 'status', KNOWN);
  if (status === 'completed') return null;
  if (status === 'pending') return NOT_FINAL;
  return { outcome: 'set-aside', reason: 'cancelled', cancelledAt: cancelledAt(record) };
};

const NOT_FINAL: RecordOutcome = { outcome: 'set-aside', reason: 'not-final' };

/** The time of a cancellation, null if the gateway gives none that can be read: nothing is booked from it alone. */
const cancelledAt = (record: WireRecord): string | null =>
  readInstant(record.canceledAt ?? record.cancelledAt);
