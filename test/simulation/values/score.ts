// The score of many histories of values: the broken ones, each with the command that plays it again.
import { type Played, play, shrink } from './play.ts';

export type Score = { readonly seeds: number; readonly broken: readonly Played[] };

export const nothing = (): Score => ({ seeds: 0, broken: [] });

export const merged = (a: Score, b: Score): Score => ({
  seeds: a.seeds + b.seeds,
  broken: [...a.broken, ...b.broken].sort((one, other) => one.history.seed - other.history.seed),
});

type Playing = {
  readonly url: string;
  readonly seeds: readonly number[];
  readonly operations: number;
  readonly without: readonly number[];
  readonly shrinks: boolean;
  readonly onSeed: (score: Score) => void;
};

/** Plays one seed after the other. */
export const run = async ({ url, seeds, operations, without, shrinks, onSeed }: Playing): Promise<void> => {
  let score = nothing();
  for (const seed of seeds) {
    const played = await play(url, { seed, operations, without });
    const isBroken = played.faults.length > 0;
    const shown = isBroken && shrinks ? await shrink(url, played) : played;
    score = merged(score, { seeds: 1, broken: isBroken ? [shown] : [] });
    onSeed(score);
  }
};

export const linesOf = ({ seeds, broken }: Score): string[] => [
  `${seeds} histories of values, ${broken.length} broken`,
  ...broken.map(
    ({ history: { seed, operations, without }, faults }) =>
      `seed ${seed} (--values ${seed}..${seed} --operations ${operations}${without.length > 0 ? ` --without ${without.join(',')}` : ''}): ${faults[0]}`,
  ),
];
