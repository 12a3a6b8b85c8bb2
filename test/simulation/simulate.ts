// Many seeds, several in parallel, and their score.
import pLimit from 'p-limit';
import type { Database } from '../../src/database/connection.ts';
import type { Theatre } from './nights.ts';
import { type Loss, rivalsOf } from './rivals.ts';
import { type Cost, playSeed, type Verdict } from './seed.ts';

export type Score = {
  seeds: number;
  records: number;
  requests: number;
  nights: number;
  missed: number;
  stale: number;
  duplicated: number;
  silent: number;
  gaps: number;
  gapped: number;
  named: number;
  backfill: Cost;
  quiet: Cost;
  readonly failures: { readonly seed: number; readonly wrong: readonly string[] }[];
  readonly rivals: Map<string, { records: number; seeds: number }>;
};

export type Casting = {
  readonly database: Database;
  readonly seeds: readonly number[];
  readonly extract?: Theatre['extract'];
  readonly hasRivals?: boolean;
  readonly onSeed?: (score: Score) => void;
};

const SIDE_BY_SIDE = 4;

/** The numbers from one to another, both included. */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Plays seeds, several in parallel, each in an entity of its own. */
export const simulate = async (casting: Casting): Promise<Score> => {
  const score = nothing();
  const limit = pLimit(SIDE_BY_SIDE);
  await Promise.all(
    casting.seeds.map((seed) =>
      limit(async () => {
        add(score, await played(seed, casting));
        if (casting.hasRivals !== false) for (const loss of rivalsOf(seed)) lose(score, loss);
        casting.onSeed?.(score);
      }),
    ),
  );
  score.failures.sort((a, b) => a.seed - b.seed);
  return score;
};

/** An error names its seed. */
const played = async (seed: number, { database, extract }: Casting): Promise<Verdict> => {
  try {
    return await playSeed(seed, { database, entity: `sim-${seed}`, ...(extract && { extract }) });
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};

/** The score of no seed. */
export const nothing = (): Score => ({
  seeds: 0,
  records: 0,
  requests: 0,
  nights: 0,
  missed: 0,
  stale: 0,
  duplicated: 0,
  silent: 0,
  gaps: 0,
  gapped: 0,
  named: 0,
  failures: [],
  rivals: new Map(),
  backfill: { made: 0, fewest: 0 },
  quiet: { made: 0, fewest: 0 },
});

const add = (score: Score, { seed, wrong, altered, ...rest }: Verdict): void => {
  const count = (word: string) => wrong.filter((one) => one.word === word).length;
  score.seeds += 1;
  score.records += rest.records;
  score.requests += rest.requests;
  score.nights += rest.nights;
  score.missed += count('missed');
  score.stale += count('stale');
  score.duplicated += count('duplicated');
  score.silent += count('silent') + count('unsaid');
  score.gaps += rest.gaps;
  score.gapped += rest.gapped;
  score.named += altered.isNamed ? 1 : 0;
  score.backfill = plus(score.backfill, rest.backfill);
  score.quiet = plus(score.quiet, rest.quiet);
  const failures = wrong.map(({ word, stream, detail }) => `${word} ${stream}: ${detail}`);
  if (!altered.isNamed) failures.push(`not named, ${altered.what}: ${altered.said}`);
  if (failures.length > 0) score.failures.push({ seed, wrong: failures });
};

/** Two scores as one. */
export const merged = (a: Score, b: Score): Score => {
  const rivals = new Map(a.rivals);
  for (const [name, rival] of b.rivals) {
    const known = rivals.get(name) ?? { records: 0, seeds: 0 };
    rivals.set(name, { records: known.records + rival.records, seeds: known.seeds + rival.seeds });
  }
  const failures = [...a.failures, ...b.failures].sort((x, y) => x.seed - y.seed);
  const sum = (name: Count) => [name, a[name] + b[name]] as const;
  const counts = Object.fromEntries(COUNTS.map(sum)) as Record<Count, number>;
  return {
    ...counts,
    failures,
    rivals,
    backfill: plus(a.backfill, b.backfill),
    quiet: plus(a.quiet, b.quiet),
  };
};

const COUNTS = [
  'seeds',
  'records',
  'requests',
  'nights',
  'missed',
  'stale',
  'duplicated',
  'silent',
  'gaps',
  'gapped',
  'named',
] as const;
type Count = (typeof COUNTS)[number];

const plus = (a: Cost, b: Cost): Cost => ({ made: a.made + b.made, fewest: a.fewest + b.fewest });

const lose = (score: Score, { rival, lost }: Loss): void => {
  const sum = score.rivals.get(rival) ?? { records: 0, seeds: 0 };
  score.rivals.set(rival, { records: sum.records + lost, seeds: sum.seeds + (lost > 0 ? 1 : 0) });
};
