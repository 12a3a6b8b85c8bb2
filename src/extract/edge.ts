// The edge of a full page: how far back it proves its window, and the next request.
import { earlier, isoOf, msOf, order, SECOND_MS } from '../base/time.ts';
import { isNewestFirst } from './step.ts';

/**
 * How far back a full page reaches. `ask` is the next inclusive bound, `boundary` the instant from which on the page is
 * complete, `floor` the millisecond of its oldest record. A filter has milliseconds only, so a finer time is rounded up to
 * the next whole millisecond, and the page holds everything from there on.
 */
export type Edge = {
  readonly ask: string;
  readonly boundary: string;
  readonly floor: string;
  readonly isFine: boolean;
  readonly isOrdered: boolean;
};

/**
 * The edge of a page, null if no row has a readable time; with `isFine`, the list may have times finer than a millisecond
 * even if the page shows none.
 */
export const edgeOf = (times: readonly (string | null)[], isFine: boolean): Edge | null => {
  const known = times.filter((time) => time !== null);
  const oldest = known.reduce<string | null>((least, time) => earlier(time, least), null);
  if (oldest === null) return null;
  const floor = isoOf(msOf(oldest));
  const page = { floor, isFine: known.some(isFiner), isOrdered: isNewestFirst(known) };
  if (floor === oldest && !isFine) return { ...page, ask: oldest, boundary: afterMicrosecond(oldest) };
  return { ...page, ask: later(floor, 1), boundary: later(floor, 1) };
};

const isFiner = (time: string | null): boolean => time !== null && isoOf(msOf(time)) !== time;

/** An instant moved by whole milliseconds. */
export const later = (instant: string, ms: number): string => isoOf(msOf(instant) + ms);

/** The first whole millisecond at or after an instant. */
export const ceiling = (instant: string): string => {
  const floor = isoOf(msOf(instant));
  return order(floor, instant) < 0 ? isoOf(msOf(instant) + 1) : floor;
};

/** The first whole second after an instant. */
export const wholeSecond = (instant: string): string =>
  isoOf((Math.floor(msOf(instant) / SECOND_MS) + 1) * SECOND_MS);

const afterMicrosecond = (instant: string): string => instant.replace(/Z$/, '001Z');
