// Standing again: a record that was cancelled after it was booked, and that the gateway then reports from a time before its cancellation.
import { order } from '../base/time.ts';
import { placeOfReversal } from './period.ts';
import { type Entry, type Posting, reversalOf, type Standing, undoingOf } from './posting.ts';

/**
 * The entries before that of a record which stands again: it was never cancelled, so the cancellation is undone at its own time, and what
 * that reversed is reversed at its own, as in a correction. Otherwise it would count twice in between. None if it stands, or stands again
 * from a later time: then it was cancelled. `posting` gives the place of an entry at a time, so many steps after the last of the chain.
 */
export const undoCancellation = (
  stands: Standing | undefined,
  effectiveAt: string,
  posting: (effectiveAt: string, step: number) => Posting,
): Entry[] => {
  if (!stands?.reversed) return [];
  const { last: cancellation, reversed: cancelled } = stands;
  const isBefore = (instant: string): boolean => order(instant, cancellation.effectiveAt) < 0;
  if (!isBefore(effectiveAt) || !isBefore(cancelled.effectiveAt)) return [];
  const first = posting(cancellation.effectiveAt, 1);
  const undone = undoingOf(cancellation, cancelled, { ...first, ...placeOfReversal(first, cancellation) });
  const second = posting(cancelled.effectiveAt, 2);
  const place = placeOfReversal(second, cancelled);
  return [
    undone,
    reversalOf({ ...cancelled, id: undone.id }, cancelled.effectiveAt, { ...second, ...place }),
  ];
};
