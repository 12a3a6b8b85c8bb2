// The edge of a full page: how far down it proves its window, and what to ask for next.
import { isoOf, msOf, order } from '../base/time.ts';
import { isNewestFirst } from './step.ts';

/**
 * How far down a full page reaches. `ask` is the next inclusive bound, `boundary` the instant from which on the page
 * is complete, `floor` the millisecond of its oldest record. A time finer than the filter's millisecond cannot be
 * asked for: the next whole millisecond is, and the page holds all from there on.
 */
export type Edge = {
  readonly ask: string;
  readonly boundary: string;
  readonly floor: string;
  readonly isFine: boolean;
  readonly isOrdered: boolean;
};

/**
 * The edge of a page, null where no row has a readable time; with `isFine`, times finer than a millisecond are about even
 * where none is shown.
 */
export const edgeOf = (times: readonly (string | null)[], isFine: boolean): Edge | null => {
  const known = times.filter((time) => time !== null);
  const oldest = known.reduce<string | null>(
    (least, time) => (least === null || order(time, least) < 0 ? time : least),
    null,
  );
  if (oldest === null) return null;
  const floor = isoOf(msOf(oldest));
  const page = { floor, isFine: known.some(isFiner), isOrdered: isNewestFirst(known) };
  if (floor === oldest && !isFine) return { ...page, ask: oldest, boundary: afterMicrosecond(oldest) };
  return { ...page, ask: later(floor, 1), boundary: later(floor, 1) };
};

const isFiner = (time: string | null): boolean => time !== null && isoOf(msOf(time)) !== time;

/** Some milliseconds later, or earlier, in whole ones. */
export const later = (instant: string, ms: number): string => isoOf(msOf(instant) + ms);

/** The first whole millisecond at or after an instant. */
export const ceiling = (instant: string): string => {
  const floor = isoOf(msOf(instant));
  return order(floor, instant) < 0 ? isoOf(msOf(instant) + 1) : floor;
};

const afterMicrosecond = (instant: string): string => instant.replace(/Z$/, '001Z');
