// One seed from its plan to its verdict: nights, comparison, proof, and one alteration that the proof must name.
import { STREAMS, type StreamName } from '../../src/base/streams.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { verifyCoverage } from '../../src/verify/coverage/coverage.ts';
import { type Altered, alter } from './alterations.ts';
import { type Compared, compare, type Difference, silentIn } from './compare.ts';
import { isExcused } from './excuses.ts';
import { standInFor } from './gateway.ts';
import { pagesOf } from './landed.ts';
import type { SimWorld } from './life.ts';
import { pass, realExtract, type Slept, sleep, type Theatre } from './nights.ts';
import { type Night, planOf } from './plan.ts';
import { worldOf } from './world.ts';

export type Verdict = {
  readonly seed: number;
  readonly records: number;
  readonly requests: number;
  readonly nights: number;
  /** Stored gaps, and the records listed in them and not landed. */
  readonly gaps: number;
  readonly gapped: number;
  /** Empty if everything is correct. */
  readonly wrong: readonly Difference[];
  readonly altered: Altered;
  readonly backfill: Cost;
  readonly quiet: Cost;
};

/** Pages read, and the fewest that could do. */
export type Cost = { readonly made: number; readonly fewest: number };

const DAY = 86_400_000;
const CALM: Night = { advanceMs: DAY, isFull: false, kills: [], restless: 0 };

type Stage = Omit<Theatre, 'extract'> & Partial<Pick<Theatre, 'extract'>>;

/** Plays one seed. Throws only for a fault of ours. */
export const playSeed = async (seed: number, stage: Stage): Promise<Verdict> => {
  const theatre = { extract: realExtract, ...stage };
  const plan = planOf(seed);
  const world = worldOf(plan);
  const standIn = await standInFor(world);
  const wrong: Difference[] = [];
  const nights: Slept[] = [];
  const night = async (planned: Night) => {
    const slept = await sleep(theatre, world, { standIn, night: planned, isFirst: nights.length === 0 });
    if (slept.failure === null)
      wrong.push(...(await silentIn(stage.database.db, stage.entity, { world, slept })));
    nights.push(slept);
    return slept;
  };
  try {
    for (const planned of plan.nights) {
      await night(planned);
      pass(world, planned);
    }
    standIn.habits.calm = true;
    for (const planned of lastNights(world)) {
      const { failure } = await night(planned);
      if (failure !== null) wrong.push({ word: 'failed', stream: 'movements', detail: failure });
      world.advance(planned.advanceMs);
    }
  } finally {
    await standIn.close();
  }
  return verdictOf(theatre, world, { wrong, nights });
};

/** A night that catches up, in full if only that finds the changes; in some worlds also a quiet one. */
const lastNights = ({ hidden, plan }: SimWorld): Night[] => [
  { ...CALM, isFull: hidden.size > 0 },
  ...(plan.hasQuietNight ? [CALM] : []),
];

const verdictOf = async (
  { database: { db }, entity }: Theatre,
  world: SimWorld,
  { wrong, nights }: { readonly wrong: readonly Difference[]; readonly nights: readonly Slept[] },
): Promise<Verdict> => {
  const compared: Compared = await compare(db, entity, world);
  const gaps = compared.differences.filter(({ word }) => word === 'gap');
  const verified = await verifyCoverage(db, { entity });
  const doubtful = verified.filter(
    ({ fault, stream }) => fault !== null && !gaps.some((gap) => gap.stream === stream),
  );
  const { plan } = world;
  const random = randomOf(`simulation:${plan.seed}:alteration`);
  const pages = await pagesOf(db, entity);
  const cost = (slept: Slept | undefined): Cost => costOf(world, pages, slept);
  return {
    seed: plan.seed,
    records: compared.records,
    requests: pages.reduce((sum, list) => sum + list.pages, 0),
    nights: nights.length,
    gaps: gaps.length,
    gapped: compared.gapped,
    wrong: [
      ...wrong,
      ...compared.differences.filter(
        (difference) => difference.word !== 'gap' || !isExcused(world, difference.stream),
      ),
      ...doubtful.map(
        ({ stream, fault }): Difference => ({
          word: 'failed',
          stream: stream as Difference['stream'],
          detail: `verify finds ${fault?.why}`,
        }),
      ),
    ],
    altered: await alter(db, entity, { random, before: verified }),
    backfill: cost(nights[0]),
    quiet: plan.hasQuietNight ? cost(nights.at(-1)) : { made: 0, fewest: 0 },
  };
};

const costOf = (
  { plan }: SimWorld,
  pages: Awaited<ReturnType<typeof pagesOf>>,
  slept: Slept | undefined,
): Cost => {
  const limits: { readonly [stream in StreamName]?: number } = {
    trades: plan.tradesMax,
    'wallet-transactions': plan.walletMax,
    'earn-movements': plan.earnMax,
  };
  const own = pages.filter((page) => page.run_id === slept?.run.id);
  return {
    made: own.reduce((sum, list) => sum + list.pages, 0),
    fewest: own.reduce(
      (sum, list) =>
        sum + Math.max(1, Math.ceil(list.fresh / (limits[list.stream] ?? STREAMS[list.stream].pageMax))),
      0,
    ),
  };
};
