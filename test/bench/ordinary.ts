// Ordinary nights: what a day brought, and then nothing, after a short and a long history with the same days.
import { DAY_MS, isoOf, nowMs } from '../../src/base/time.ts';
import { inSession } from '../../src/database/connection.ts';
import { openServer } from '../../src/postgres/postgres.ts';
import { median } from './clock.ts';
import type { Figure } from './figure.ts';
import { onStage, type Stage } from './stage.ts';

const RECORDS = 50_000;
const PER_DAY = 80;
const NIGHTS = 3;
const LONGER = 10;
const RATIO_MAX = 1.2;
/** The stand-in's limit a second stays; nothing else waits. */
const RPM = 1_000_000;

/** Seconds, medians: nights with a day's records, and nights without. */
type Nights = { readonly ordinary: number; readonly quiet: number };

/** Nights after histories of so many records and a tenth of that; of so many entities together. */
export const ordinaryNights = async ({ records = RECORDS, entities = 1 }): Promise<Figure[]> => {
  const days = Math.ceil(records / PER_DAY);
  const [short, long] = [
    await nightsAfter(Math.ceil(days / LONGER), entities),
    await nightsAfter(days, entities),
  ];
  return (['ordinary', 'quiet'] as const).map((kind) => {
    const ratio = long[kind] / short[kind];
    return {
      what: `${kind === 'quiet' ? 'quiet night' : `night with ${PER_DAY} new records`} after ${records} records ÷ after ${records / LONGER}, both in days of ${PER_DAY}`,
      figure: `${long[kind].toFixed(2)} s ÷ ${short[kind].toFixed(2)} s = ${ratio.toFixed(2)}`,
      limit: `at most ${RATIO_MAX}, medians of ${NIGHTS}`,
      isKept: ratio <= RATIO_MAX,
    };
  });
};

const nightsAfter = (days: number, entities: number): Promise<Nights> => {
  const untilMs = Math.floor(nowMs() / DAY_MS - NIGHTS - 1) * DAY_MS;
  const options = { seed: 1, entities, days, perDay: PER_DAY, until: isoOf(untilMs), rpm: RPM };
  return onStage(options, async ({ night, advance, config }) => {
    const ordinary: number[] = [];
    const quiet: number[] = [];
    await night();
    for (let nth = 0; nth <= NIGHTS; nth += 1) {
      await readAt(config, isoOf(untilMs + nth * DAY_MS));
      await advance(1);
      const [day, nothing] = [await night(), await night()];
      if (nth === 0) continue; // the files of the first night know the reading by the clock of this machine
      ordinary.push(day.seconds);
      quiet.push(nothing.seconds);
    }
    return { ordinary: median(ordinary), quiet: median(quiet) };
  });
};

/** The world's days pass in seconds: readings are put where the world was, as if a day had passed since. */
const readAt = async ({ home }: Stage['config'], instant: string): Promise<void> => {
  const server = await openServer(home);
  try {
    await inSession(server.url, 'bench', async (session) => {
      await session.query('update reconcile.tie_outs set as_of = $1 where as_of > $1', [instant]);
      await session.query('update run.runs set started_at = $1 where started_at > $1', [instant]);
    });
  } finally {
    await server.release();
  }
};
