// The pace of requests: those of an account a second, which the service limits by operation under the fault `per-second`,
// and those of everybody within a span of time.
import { SECOND_MS } from '../base/time.ts';
import type { Operation } from '../gateway/contract/operation.ts';
import { type Refusal, refusal } from './refusals.ts';

/** Counts a request, and refuses it if the second before it is full. */
export type Pace = (operation: Operation, entityId: string) => Refusal | null;

/** Counts what is served, by operation and entity, in any second (A-RATES). `now` is Unix milliseconds. */
export const paceOf = (now: () => number): Pace => {
  const served = new Map<string, readonly number[]>();
  return ({ name, perSecond = Infinity }, entityId) => {
    const [key, from] = [`${name} ${entityId}`, now() - SECOND_MS];
    const recent = (served.get(key) ?? []).filter((servedMs) => servedMs > from);
    if (recent.length >= perSecond) return refusal(429, 'Too many requests');
    served.set(key, [...recent, now()]);
    return null;
  };
};

/** Refuses nothing. */
export const anyPace: Pace = () => null;

/** Counts what happens at these times, in Unix milliseconds and in order: the number within any `spanMs`, with this one. */
export const windowOf = (spanMs: number): ((now: number) => number) => {
  let times: number[] = [];
  let first = 0;
  return (now) => {
    times.push(now);
    while ((times[first] ?? now) <= now - spanMs) first += 1;
    if (first > times.length / 2) [times, first] = [times.slice(first), 0]; // to shift a long list costs its length
    return times.length - first;
  };
};
