// The simulation: hundreds of histories with every bad habit, read by the real walks and really landed. Nothing may be
// missed, landed twice, or claimed and missing; and the simulation itself must be able to fail.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Extraction } from '../../jobs/extraction.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { alter } from './alterations.ts';
import { CARELESS } from './careless.ts';
import { realExtract } from './nights.ts';
import { HAPPENINGS, planOf } from './plan.ts';
import { linesOf } from './report.ts';
import { RIVALS, rivalsOf } from './rivals.ts';
import { playSeed } from './seed.ts';
import { type Casting, range, simulate } from './simulate.ts';

type Plan = ReturnType<typeof planOf>;

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** `npm run simulate` runs the largest histories. */
const isLarge = ({ bursts, counts }: Plan): boolean =>
  counts.movements >= 1_000 || bursts.some(({ size }) => size >= 1_000);

const SMALL = range(1, 300).filter((seed) => !isLarge(planOf(seed)));

const traits = (plan: Plan): string[] => [
  ...(plan.cursorTrouble ? [plan.cursorTrouble.kind] : []),
  `count ${plan.countTrouble.name}`,
  `off ${plan.countTrouble.off}`,
  plan.precision,
  ...(plan.nights.some(({ restless }) => restless === 100) ? ['restless'] : []),
  ...(plan.nights.some(({ kills }) => kills.length > 0) ? ['killed'] : []),
  ...(plan.skewMs === 0 ? [] : ['skewed']),
  ...plan.bursts.map(({ cells }) => cells),
];

/** The first twenty seeds, and each later one with a feature that none before it had. */
const chosen = (): number[] => {
  const seen = new Set<string>();
  return SMALL.filter((seed, index) => {
    const plan = planOf(seed);
    const shown = [
      ...traits(plan),
      ...plan.happenings,
      ...plan.streams.filter((stream) => plan.counts[stream] > 100),
    ];
    const isNew = shown.some((it) => !seen.has(it));
    if (index < 20 || isNew) for (const trait of shown) seen.add(trait);
    return index < 20 || isNew;
  });
};

const SEEDS = chosen();

test('nothing missed, nothing twice, nothing silent, every alteration named', async () => {
  const score = await simulate({ database, seeds: SEEDS, hasRivals: false });
  expect(score.failures).toEqual([]);
  const { seeds, missed, stale, duplicated, silent, named: detected } = score;
  const nothing = { missed: 0, stale: 0, duplicated: 0, silent: 0 };
  expect({ seeds, missed, stale, duplicated, silent, named: detected }).toEqual({
    seeds: SEEDS.length,
    ...nothing,
    named: SEEDS.length,
  });
  expect(score.gaps).toBeGreaterThan(0);
});

describe('the seeds contain every kind of fault', () => {
  const plans = SEEDS.map(planOf);
  test('every change of a list', () => {
    for (const happening of HAPPENINGS)
      expect(plans.some(({ happenings }) => happenings.includes(happening))).toBe(true);
    for (const stream of ['movements', 'trades', 'wallet-transactions', 'earn-movements'] as const)
      expect(plans.some(({ streams, counts }) => streams.includes(stream) && counts[stream] > 100)).toBe(
        true,
      );
  });
  test('every fault of a cursor, a count, a clock and a night', () => {
    const seen = new Set(plans.flatMap(traits));
    for (const trait of TRAITS) expect(seen).toContain(trait);
  });
});

const TRAITS = [
  'refused-400',
  'refused-404',
  'repeated',
  'empty-and-more',
  'more-without-cursor',
  'few',
  'many',
  'count total',
  'count count',
  'off 1',
  'off -1',
  'microsecond',
  'mixed',
  'folded',
  'hidden',
  'restless',
  'killed',
  'skewed',
];

describe('the simulation can fail', () => {
  /** Seeds whose movements have a burst, or whose trades are clamped: careless walks lose records there. */
  const crowded = SMALL.filter((seed) => isCrowded(planOf(seed))).slice(0, 4);
  const clamped = SMALL.filter((seed) => isClamped(planOf(seed))).slice(0, 4);
  const miscounted = SMALL.filter((seed) => isMiscounted(planOf(seed))).slice(0, 2);
  const apart = async (casting: Pick<Casting, 'seeds' | 'extract'>) => {
    const own = await freshDatabase();
    const score = await simulate({ database: own, hasRivals: false, ...casting });
    await own.close();
    return score;
  };

  test('a walk by time without splitting misses records, and its false claim is detected', async () => {
    const score = await apart({ seeds: crowded, extract: CARELESS['page by time without splitting'] });
    expect(score.missed).toBeGreaterThan(0);
    expect(score.silent).toBeGreaterThan(0);
    const [failure] = score.failures;
    expect(linesOf(score).join('\n')).toContain(`--seeds ${failure?.seed}..${failure?.seed}`);
  });

  test('a walk that advances by the requested limit misses trades', async () => {
    const score = await apart({ seeds: clamped, extract: CARELESS['advance by the limit asked'] });
    expect(score.missed).toBeGreaterThan(0);
  });

  test('a record landed twice is detected', async () => {
    const twice = async (extraction: Extraction) => {
      await realExtract(extraction);
      await again(extraction);
    };
    const { wrong } = await playSeed(clamped[0] ?? 1, { database, entity: 'twice', extract: twice });
    expect(wrong.map(({ word }) => word)).toContain('duplicated');
  });

  test('an unreported gap is detected', async () => {
    const unsaid = async (extraction: Extraction) => {
      await realExtract(extraction);
      await sql`delete from run.findings where entity_id = ${extraction.entity.id}`.execute(
        extraction.work.db,
      );
    };
    const score = await apart({ seeds: miscounted, extract: unsaid });
    expect(score.silent).toBeGreaterThan(0);
  });

  test('a proof that never finds anything is detected', async () => {
    const blind = async () => [];
    const altered = await alter(database.db, `sim-${SEEDS[0]}`, {
      random: randomOf('blind'),
      before: [],
      verify: blind,
    });
    expect(altered.isNamed).toBe(false);
  });
});

const isCrowded = ({ streams, bursts }: Plan): boolean =>
  streams.includes('movements') && bursts.some(({ size }) => size > 110 && size < 1_000);
const isClamped = ({ streams, tradesMax, counts }: Plan): boolean =>
  streams.includes('trades') && tradesMax < 50 && counts.trades > 60;
const isMiscounted = ({ streams, countTrouble, counts }: Plan): boolean =>
  streams.includes('trades') && countTrouble.isForever && countTrouble.off === 1 && counts.trades > 0;

/** Lands every latest version once more. */
const again = ({ work, entity }: Extraction) =>
  sql`
    insert into land.records (entity_id, stream, record_id, version, scope, digest, payload, record_at, landed_at, request_id)
    select distinct on (stream, record_id)
      entity_id, stream, record_id, version + 1, scope, digest, payload, record_at, landed_at, request_id
    from land.records where entity_id = ${entity.id} order by stream, record_id, version desc`.execute(
    work.db,
  );

test('a seed replays: the same history, the same answers, the same verdict', async () => {
  for (const seed of [7, 35, 171]) {
    const once = await playSeed(seed, { database, entity: `once-${seed}` });
    expect(await playSeed(seed, { database, entity: `again-${seed}` })).toEqual(once);
  }
});

test('every rival loses records', () => {
  const losses = range(1, 60).flatMap(rivalsOf);
  for (const rival of RIVALS)
    expect(
      losses.filter((loss) => loss.rival === rival).reduce((sum, { lost }) => sum + lost, 0),
    ).toBeGreaterThan(0);
});
