// Drains a walk as landing does: page by page, reporting how many records of each are new.

import { isoOf, msOf, order } from '../../src/base/time.ts';
import type { Cover, Trouble, Walk, WalkStep } from '../../src/extract/step.ts';

export type Row = { readonly id: string; readonly at: string };

/** Everything that a walk yielded. */
type Drained = {
  readonly ids: Set<string>;
  readonly pages: number;
  readonly covers: readonly Cover[];
  readonly troubles: readonly Trouble[];
  /** The resume token after the last step. */
  readonly resume: string | null;
};

/** Drains a walk into `landed`, the ids known before; stops after `killedAfter` pages. */
export const drain = async <R extends { readonly id: string }>(
  walk: Walk<R, unknown>,
  landed: Set<string> = new Set(),
  killedAfter = Number.POSITIVE_INFINITY,
): Promise<Drained> => {
  const seen = { ids: new Set<string>(), pages: 0, resume: null as string | null };
  const steps: WalkStep<R, unknown>[] = [];
  for (let next = await walk.next({ fresh: 0 }); !next.done; ) {
    const step = next.value;
    steps.push(step);
    const rows = step.page?.rows ?? [];
    const fresh = new Set(rows.map(({ id }) => id).filter((id) => !landed.has(id)));
    for (const { id } of rows) seen.ids.add(id);
    for (const id of fresh) landed.add(id);
    if (step.page) seen.pages += 1;
    if (step.resume !== undefined) seen.resume = step.resume;
    if (seen.pages >= killedAfter) break;
    next = await walk.next({ fresh: fresh.size });
  }
  return {
    ...seen,
    covers: steps.flatMap(({ covers }) => covers ?? []),
    troubles: steps.flatMap(({ trouble }) => trouble ?? []),
  };
};

const START = msOf('2026-03-01T10:00:00.000Z');

/** An instant some milliseconds after the start of these tests, with optional microseconds. */
export const instant = (ms: number, micros = 0): string => {
  const whole = isoOf(START + ms);
  return micros === 0 ? whole : whole.replace('Z', `${String(micros).padStart(3, '0')}Z`);
};

/** Whether an instant lies in one of the half-open intervals. */
export const isInside = (
  moment: string,
  intervals: readonly { from: string | null; to: string | null }[],
): boolean =>
  intervals.some(
    ({ from, to }) => (from === null || order(moment, from) >= 0) && (to === null || order(moment, to) < 0),
  );

/** Intervals as sentences, newest first, with adjacent ones merged: a gap shows as a second interval. */
export const joined = (covers: readonly { from: string | null; to: string | null }[]): string[] => {
  const parts: { from: string | null; to: string | null }[] = [];
  for (const { from, to } of covers) {
    const last = parts.at(-1);
    if (last && last.from === to) last.from = from;
    else parts.push({ from, to });
  }
  return parts.map(({ from, to }) => `${from ?? 'the beginning'} to ${to}`);
};
