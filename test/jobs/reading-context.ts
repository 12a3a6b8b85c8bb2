// What the readings of one entity share, over a gateway that a test plays.
import type { Context } from '../../jobs/extraction.ts';
import { msOf } from '../../src/base/time.ts';
import { instantAt, type Stage } from '../land/stage.ts';

/** The context of a reading of main whose requests go to `call`; `more`: what a reading needs besides. */
export const readingContext = (
  { db, run }: Stage,
  call: (...request: never[]) => Promise<unknown>,
  more: { readonly config?: object; readonly isFull?: boolean } = {},
): Context => {
  const { config = {}, isFull = false } = more;
  const gateway = { call, nowMs: () => msOf(instantAt(10_000)) };
  return {
    work: { db, run, config, tell: () => {} },
    gateway,
    source: { gateway },
    entity: { id: 'main' },
    key: Buffer.alloc(32),
    perList: { limitMs: 60_000, clockMs: () => 0 },
    cutShort: new Set(),
    isFull,
  } as unknown as Context;
};
