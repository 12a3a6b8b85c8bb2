// The score of many seeds: whether the breaks are exactly those of the planted faults, and how often the
// true cause comes first and among the first three.
import { SINGLE } from './faults.ts';
import type { Broken, Played } from './play.ts';

export type Kind = { planted: number; first: number; firstThree: number };

export type Score = {
  seeds: number;
  clean: number;
  records: number;
  faults: number;
  /** Accounts that broke correctly, that broke wrongly, and that failed to break; to the last digit. */
  right: number;
  wrong: number;
  missed: number;
  /** By kind of fault: worlds with that fault alone, and those with more. */
  readonly alone: Record<string, Kind>;
  readonly together: Record<string, Kind>;
  /** The faults found, seed by seed. */
  readonly sentences: string[];
};

export const nothing = (): Score => ({
  seeds: 0,
  clean: 0,
  records: 0,
  faults: 0,
  right: 0,
  wrong: 0,
  missed: 0,
  alone: {},
  together: {},
  sentences: [],
});

type Fault = Played['faults'][number];

const isTrue = (fault: Fault, cause: Broken['causes'][number] | undefined): boolean =>
  cause?.kind === fault.kind && fault.records.every((name) => cause.records.includes(name));

/** Adds the result of one seed. A fault counts as named if every account that it alone broke names it. */
export const addTo = (score: Score, { seed, records, faults, broken }: Played): Score => {
  score.seeds += 1;
  score.clean += faults.length === 0 ? 1 : 0;
  score.records += records;
  score.faults += faults.length;
  for (const one of broken) judge(score, seed, one);
  for (const fault of faults) {
    const own = fault.places.filter(
      (place) => !faults.some((it) => it !== fault && it.places.includes(place)),
    );
    const shown = broken.filter(({ place }) => own.includes(place));
    if (shown.length === 0) continue; // its accounts have other faults too, so the causes cannot be separated
    const kinds = faults.length === 1 ? score.alone : score.together;
    const kind = kinds[fault.name] ?? { planted: 0, first: 0, firstThree: 0 };
    kinds[fault.name] = kind;
    kind.planted += 1;
    const isFirst = shown.every(({ causes: [first] }) => isTrue(fault, first));
    if (isFirst) kind.first += 1;
    else
      score.sentences.push(
        `seed ${seed}, ${fault.name} (${fault.records.join(', ')}): ${shown.map(sentenceOf).join(' | ')}`,
      );
    if (shown.every(({ causes }) => causes.slice(0, 3).some((cause) => isTrue(fault, cause))))
      kind.firstThree += 1;
  }
  return score;
};

const sentenceOf = ({ place, found, causes: [first] }: Broken): string =>
  `${place} ${found}: ${first?.kind ?? 'nothing'} ${first?.records.slice(0, 3).join(', ') ?? ''}`;

const judge = (score: Score, seed: number, { place, expected, found }: Broken): void => {
  if (expected === found) score.right += 1;
  else {
    if (found !== '0') score.wrong += 1;
    if (expected !== '0') score.missed += 1;
    score.sentences.push(`seed ${seed}: ${place} is off by ${expected}, and the break says ${found}`);
  }
};

/** Two scores as one. */
export const merged = (a: Score, b: Score): Score => ({
  seeds: a.seeds + b.seeds,
  clean: a.clean + b.clean,
  records: a.records + b.records,
  faults: a.faults + b.faults,
  right: a.right + b.right,
  wrong: a.wrong + b.wrong,
  missed: a.missed + b.missed,
  alone: both(a.alone, b.alone),
  together: both(a.together, b.together),
  sentences: [...a.sentences, ...b.sentences],
});

const NONE: Kind = { planted: 0, first: 0, firstThree: 0 };

const both = (a: Record<string, Kind>, b: Record<string, Kind>): Record<string, Kind> =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => {
      const [x, y] = [a[name] ?? NONE, b[name] ?? NONE];
      return [
        name,
        { planted: x.planted + y.planted, first: x.first + y.first, firstThree: x.firstThree + y.firstThree },
      ];
    }),
  );

const share = (part: number, rest: number): string =>
  part + rest === 0 ? '-' : (part / (part + rest)).toFixed(4);

export const linesOf = (score: Score): string[] => [
  `${score.seeds} worlds (${score.clean} clean), ${score.records} records, ${score.faults} faults planted`,
  `breaks: ${score.right} right, ${score.wrong} wrong, ${score.missed} missed; precision ${share(score.right, score.wrong)}, recall ${share(score.right, score.missed)}`,
  '',
  'the true cause, by fault       alone  first  first three   among others  first  first three',
  ...Object.keys({ ...score.alone, ...score.together })
    .sort()
    .map((name) => `${name.padEnd(27)}${columns(score.alone[name])}   ${columns(score.together[name], 12)}`),
];

const columns = ({ planted, first, firstThree }: Kind = NONE, wide = 9): string =>
  `${String(planted).padStart(wide)}${String(first).padStart(7)}${String(firstThree).padStart(13)}`;

/** Precision and recall of breaks are 1, and the true cause of single faults is first in 95 of 100, kind by kind. */
export const isGood = ({ wrong, missed, alone }: Score): boolean =>
  wrong + missed === 0 &&
  Object.entries(alone).every(([name, { planted, first }]) => !(name in SINGLE) || first >= 0.95 * planted);
