// The score of explaining: one fault planted in a world of its own, over many seeds, and how often the true cause comes
// first and among the first three. Its sums are made in BigInt, apart from the code that is judged.
import type { Candidate, Difference, Evidence, Told } from '../../src/reconcile/cause.ts';
import { candidatesOf } from '../../src/reconcile/causes.ts';
import { textOf, unitsOf } from '../../src/sandbox/amount.ts';
import { isoOf, msOf } from '../../src/time.ts';
import { type Fault, type Plant, SEVERAL, SINGLE } from './faults.ts';
import { BROKE, TIED, type World, worldOf } from './world.ts';

export type Score = {
  readonly fault: string;
  readonly isSingle: boolean;
  readonly planted: number;
  readonly first: number;
  readonly firstThree: number;
  /** Seeds whose true cause is not first, and what was said instead. */
  readonly missed: readonly string[];
};

const sums = (records: readonly Told[], sign: bigint, into: Map<string, bigint>): void => {
  for (const { place, amount } of records.flatMap(({ parts }) => parts))
    into.set(place, (into.get(place) ?? 0n) + sign * unitsOf(amount));
};

/** What the books would know of a world with a fault in it. */
export const evidenceOf = (world: World, fault: Fault): Evidence => {
  const reported = new Map<string, bigint>();
  sums(fault.happened, 1n, reported);
  sums(fault.told, -1n, reported);
  const clearing = [...reported].filter(([place]) => place.startsWith('assets:clearing:'));
  for (const [place] of clearing) reported.set(place, 0n); // the gateway reports 0 there: what is booked is the difference
  sums(
    fault.told.map((it) => ({
      ...it,
      parts: it.parts.filter(({ place }) => place.startsWith('assets:clearing:')),
    })),
    -1n,
    reported,
  );
  const differences = [...reported]
    .filter(([, units]) => units !== 0n)
    .map(([place, units]): Difference => {
      const [account = '', currency = ''] = place.split(' ');
      const difference = textOf(units);
      return {
        ...{ account, currency, difference, firstDifference: difference },
        ...{ tiedAt: isoOf(TIED), brokeAt: isoOf(BROKE) },
      };
    });
  const broken = new Set(differences.map(({ account, currency }) => `${account} ${currency}`));
  const records = [...world.records, ...fault.told]
    .filter(({ parts }) => parts.some(({ place }) => broken.has(place)))
    .sort((a, b) => msOf(b.at) - msOf(a.at));
  const none = {
    isNear: true,
    undecided: new Set<string>(),
    waiting: [],
    rejects: [],
    unmatched: [],
    asides: [],
  };
  return { ...none, differences, records, ...fault.rest };
};

const isTrue = (fault: Fault, it: Candidate | undefined): boolean =>
  it?.kind === fault.kind && fault.records.every((name) => it.records.includes(name));

/** Plants one fault in the world of each seed. A fault counts as found where every account that it broke says so. */
export const scoreOf = (fault: string, plant: Plant, seeds: readonly number[]): Score => {
  const [found, missed] = [{ first: 0, firstThree: 0 }, [] as string[]];
  for (const seed of seeds) {
    const world = worldOf(`${fault}:${seed}`);
    const planted = plant(world);
    const all = [...candidatesOf(evidenceOf(world, planted)).values()];
    const isFirst = all.length > 0 && all.every(([first]) => isTrue(planted, first));
    if (isFirst) found.first += 1;
    else
      missed.push(
        `${seed}: ${all.map(([it]) => `${it?.kind} ${it?.confidence} ${it?.sentence}`).join(' | ')}`,
      );
    if (all.length > 0 && all.every((some) => some.slice(0, 3).some((it) => isTrue(planted, it))))
      found.firstThree += 1;
  }
  return { fault, isSingle: fault in SINGLE, planted: seeds.length, ...found, missed };
};

/** Every kind of fault over the same seeds. */
export const scores = (seeds: readonly number[]): Score[] =>
  Object.entries({ ...SINGLE, ...SEVERAL }).map(([fault, plant]) => scoreOf(fault, plant, seeds));

export const linesOf = (all: readonly Score[]): string[] => [
  'fault                       planted  first  first three',
  ...all.map(
    ({ fault, planted, first, firstThree }) =>
      `${fault.padEnd(28)}${String(planted).padStart(7)}${String(first).padStart(7)}${String(firstThree).padStart(13)}`,
  ),
];
