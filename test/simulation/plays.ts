// The kinds of simulation, by option: how to play seeds, and the form of the result.
import pLimit from 'p-limit';
import type { Database } from '../../src/database/connection.ts';
import * as flights from '../breaks/defects/in-flight.ts';
import { play } from '../breaks/defects/play.ts';
import * as defects from '../breaks/defects/score.ts';
import { jsonOf, linesOf } from './report.ts';
import { merged, nothing, type Score, simulate } from './simulate.ts';
import * as values from './values/score.ts';

/** `operations` and `without`: how much of a history of values is played. */
export type PlayOptions = {
  readonly operations: number;
  readonly without: readonly number[];
  readonly shrinks: boolean;
};

type Playing<Sum> = PlayOptions & {
  readonly database: Database;
  readonly url: string;
  readonly seeds: readonly number[];
  readonly onSeed: (sum: Sum) => void;
};

/** How to play seeds in one thread, and how to merge the results of threads. */
type Play<Sum> = {
  readonly nothing: () => Sum;
  readonly merged: (a: Sum, b: Sum) => Sum;
  readonly run: (playing: Playing<Sum>) => Promise<unknown>;
  readonly seeds: (sum: Sum) => number;
  readonly isGood: (sum: Sum) => boolean;
  readonly lines: (sum: Sum) => readonly string[];
  readonly json: (sum: Sum) => object;
};

const SIDE_BY_SIDE = 4;

/** Each seed by itself, several side by side. */
const eachSeed =
  <Sum>(one: (seed: number, database: Database) => Promise<Sum>, both: (a: Sum, b: Sum) => Sum, start: Sum) =>
  async ({ database, seeds, onSeed }: Playing<Sum>): Promise<void> => {
    let sum = start;
    const limit = pLimit(SIDE_BY_SIDE);
    const played = async (seed: number) => {
      const more = await one(seed, database);
      sum = both(sum, more);
      onSeed(sum);
    };
    await Promise.all(seeds.map((seed) => limit(() => played(seed))));
  };

const walks: Play<Score> = {
  nothing,
  merged,
  run: simulate,
  lines: linesOf,
  json: jsonOf,
  seeds: ({ seeds }) => seeds,
  isGood: ({ failures }) => failures.length === 0,
};

const lies: Play<defects.Score> = {
  nothing: defects.nothing,
  merged: defects.merged,
  lines: defects.linesOf,
  json: (sum) => sum,
  run: eachSeed(
    async (seed, database) => defects.addTo(defects.nothing(), await play(seed, database)),
    defects.merged,
    defects.nothing(),
  ),
  seeds: ({ seeds }) => seeds,
  isGood: defects.isGood,
};

const inFlight: Play<flights.Flights> = {
  nothing: flights.nothing,
  merged: flights.merged,
  lines: flights.linesOf,
  json: (sum) => sum,
  run: eachSeed((seed, database) => flights.flyTwice(seed, database), flights.merged, flights.nothing()),
  seeds: ({ seeds }) => seeds,
  isGood: ({ wrong }) => wrong.length === 0,
};

const valued: Play<values.Score> = {
  nothing: values.nothing,
  merged: values.merged,
  lines: values.linesOf,
  json: (sum) => sum,
  run: values.run,
  seeds: ({ seeds }) => seeds,
  isGood: ({ broken }) => broken.length === 0,
};

/** By option, such as `--seeds 1..300`. */
export const PLAYS = { seeds: walks, defects: lies, 'in-flight': inFlight, values: valued };
export type PlayName = keyof typeof PLAYS;

/** The same, for code that does not depend on the type of the result. */
export const playOf = (name: PlayName): Play<unknown> => PLAYS[name] as unknown as Play<unknown>;
