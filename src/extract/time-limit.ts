// The time limit of one list. The walks over a list share it, so that an endless list leaves the rest of the run to the
// others. A walk that needs another page after the limit ends: its proved intervals stay, and nothing else is proved.
import { counted } from '../base/counted.ts';
import type { Landed, Walk } from './step.ts';

/** `list` is its name in the finding; `advice` says what to do; `clockMs` is a monotonic clock. */
export type TimeLimit = {
  readonly list: string;
  readonly limitMs: number;
  readonly clockMs: () => number;
  readonly advice: string;
};

/** The remaining time of a list. */
export type ListTime = {
  /** Fetches a page while there is time; always the first one, so that every reading makes progress. */
  readonly fetch: <Page>(ask: () => Promise<Page>) => Promise<Page>;
  /** A walk that fetches through `fetch`; a trouble ends it if it needs a page after the limit. */
  readonly within: <Row, Proof>(walk: Walk<Row, Proof>) => Walk<Row, Proof>;
  /** Whether the limit ended a walk: then no other walk of this list begins. */
  readonly isOver: () => boolean;
};

/** Ends a walk from inside its fetch; never leaves this file. */
class OutOfTime extends Error {}

/** Begins the time of a list. */
export const listTime = (limit: TimeLimit): ListTime => {
  const beganMs = limit.clockMs();
  let [pages, isOver] = [0, false];
  const detail = () =>
    `${limit.list}: ${counted(pages, 'page')} read in ${inWords(limit.limitMs)}, the time limit of one list, without reaching its end: ` +
    `landed records are stored, the rest is not proved, and the next run continues there; ${limit.advice}`;
  return {
    fetch: async (ask) => {
      if (pages > 0 && limit.clockMs() - beganMs >= limit.limitMs) throw new OutOfTime();
      const page = await ask();
      pages += 1;
      return page;
    },
    within: (walk) =>
      endedBy(walk, () => {
        isOver = true; // only now: a page that is requested before its turn may be one that nobody needs
        return { subject: 'time', detail: detail() };
      }),
    isOver: () => isOver,
  };
};

/** The same walk; if the time ran out, its last step is the trouble. */
async function* endedBy<Row, Proof>(
  walk: Walk<Row, Proof>,
  trouble: () => { readonly subject: string; readonly detail: string },
): Walk<Row, Proof> {
  let landed: Landed = { fresh: 0 };
  for (;;) {
    const next = await walk.next(landed).catch((error: unknown) => {
      if (error instanceof OutOfTime) return null;
      throw error;
    });
    if (next === null) yield { trouble: trouble() };
    if (next === null || next.done) return;
    landed = yield next.value;
  }
}

const inWords = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return counted(ms / 1000, 'second');
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute');
};
