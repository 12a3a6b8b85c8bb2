// Combinations of two or three causes that explain a difference together, while none does alone. Pure and limited.
import { subtract, sum } from '../base/money.ts';
import type { BalanceChange, Suspect } from './cause.ts';
import { summed } from './record-causes.ts';

/** The most suspects to combine: with more, some sum would match any difference. */
const ATOMS_MAX = 100;

/** If this many sums match, they match by chance. */
const SUMS_MAX = 6;

/** Kinds that rest on known facts: a combination of only these is more likely. */
const KNOWN = ['twin', 'not-final', 'one-sided'];

type Atom = { readonly suspect: Suspect; readonly amount: string };

/** Pairs that sum to the difference or, if there are none, triples. Empty if so many match that they do so by chance. */
export const combinationsOf = (
  suspects: readonly Suspect[],
  about: { readonly place: string; readonly difference: string },
): Suspect[] => {
  const atoms = suspects
    .flatMap((suspect) =>
      suspect.changes
        .filter(({ place }) => place === about.place)
        .map(({ amount }): Atom => ({ suspect, amount })),
    )
    .slice(0, ATOMS_MAX);
  const byAmount = new Map<string, number[]>();
  for (const [nth, { amount }] of atoms.entries())
    byAmount.set(amount, [...(byAmount.get(amount) ?? []), nth]);
  /** The ways to reach the difference by adding one later atom to the given ones. */
  const completed = (some: readonly number[]): number[][] => {
    const rest = subtract(about.difference, sum(some.map((nth) => atoms[nth]?.amount ?? '0')));
    return (byAmount.get(rest) ?? []).filter((nth) => nth > (some.at(-1) ?? -1)).map((nth) => [...some, nth]);
  };
  const each = atoms.map((_, nth) => [nth]);
  const pairs = distinct(each.flatMap(completed), atoms);
  const found =
    pairs.length > 0
      ? pairs
      : distinct(
          each.flatMap(([a = 0]) => each.slice(a + 1).flatMap(([b = 0]) => completed([a, b]))),
          atoms,
        );
  return found.length > SUMS_MAX ? [] : found.map(together);
};

/** Drops sums that use a record twice: a record has one fault at most. */
const distinct = (sums: readonly number[][], atoms: readonly Atom[]): Suspect[][] =>
  sums
    .map((nths) => nths.flatMap((nth) => atoms[nth]?.suspect ?? []))
    .filter((some) => {
      const names = some.map(({ records }) => records.at(-1));
      return new Set(names).size === names.length;
    });

const together = (some: readonly Suspect[]): Suspect => ({
  kind: 'combination',
  records: some.flatMap(({ records }) => records),
  changes: summed(some.flatMap(({ changes }): readonly BalanceChange[] => changes)),
  weight: (some.every(({ kind }) => KNOWN.includes(kind)) ? 1.5 : 1) * (some.length > 2 ? 0.8 : 1),
  says: () => `together: ${some.map((it) => it.says(it.records.join(' and '))).join('; ')}`,
});
