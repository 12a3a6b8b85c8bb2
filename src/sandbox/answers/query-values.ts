// Values of a validated query: text, whole numbers, and a range of time.
import { msOf } from '../../base/time.ts';
import { unitsOf } from '../amount.ts';
import type { Query } from '../question.ts';

type QueryValue = Query[string];

export const textFrom = (value: QueryValue): string | undefined =>
  value === undefined ? undefined : String(value);

/** A whole number, whether the schema made it one or left the digits. */
export const wholeFrom = (value: QueryValue, otherwise: number): number =>
  value === undefined ? otherwise : Number.parseInt(String(value), 10);

/** Bounds are inclusive; a missing one does not limit. A bound finer than a millisecond is compared exactly. */
export const within = (from: QueryValue, to: QueryValue): ((instant: number) => boolean) => {
  const least = from === undefined ? -Infinity : ceilingMs(String(from));
  const most = to === undefined ? Infinity : msOf(String(to));
  return (instant) => instant >= least && instant <= most;
};

const ceilingMs = (instant: string): number => msOf(instant) + (/\.\d{3}\d*[1-9]/.test(instant) ? 1 : 0);

const PLAIN = /^-?\d+(\.\d{1,18})?$/;

/** The order of two values of a field: numbers by their size, everything else as text. */
export const compareValues = (a: string, b: string): number => {
  const isFigure = PLAIN.test(a) && PLAIN.test(b);
  const [left, right] = isFigure ? [unitsOf(a), unitsOf(b)] : [a, b];
  return left < right ? -1 : left > right ? 1 : 0;
};
