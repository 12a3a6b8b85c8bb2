// Walks that begin before their turn, so that a page is requested while the page of another walk lands.
import type { Landed, Walk } from './step.ts';

/** The same walk with its first page requested now. If nobody reads it, its failure does not matter. */
export const begun = <Row, Proof>(walk: Walk<Row, Proof>): Walk<Row, Proof> => {
  const first = walk.next({ fresh: 0 });
  first.catch(() => {});
  return continued(walk, first);
};

async function* continued<Row, Proof>(
  walk: Walk<Row, Proof>,
  first: ReturnType<Walk<Row, Proof>['next']>,
): Walk<Row, Proof> {
  let landed: Landed;
  for (let next = await first; !next.done; next = await walk.next(landed)) landed = yield next.value;
}

/** The same walk; calls `onAnswer` once its first page is there, before it lands. */
export async function* announced<Row, Proof>(walk: Walk<Row, Proof>, onAnswer: () => void): Walk<Row, Proof> {
  let landed: Landed = { fresh: 0 };
  for (let pages = 0; ; pages += 1) {
    const next = await walk.next(landed);
    if (pages === 0) onAnswer();
    if (next.done) return;
    landed = yield next.value;
  }
}
