// Combinations: two or three causes that make up a difference together, none of which does alone. Pure, and bounded.
import { subtract, sum } from '../base/money.ts';
import type { BalanceChange, Suspect } from './cause.ts';
import { summed } from './record-causes.ts';

/** Suspects beyond this many are not combined: more would find a sum for any difference. */
const ATOMS_MAX = 100;

/** As many sums as this are chance. */
const SUMS_MAX = 6;

/** Kinds that are known to be something: a combination of them alone is worth more. */
const KNOWN = ['twin', 'not-final', 'one-sided'];

type Atom = { readonly suspect: Suspect; readonly amount: string };

/** Sums of two that are the difference; where there are none, sums of three. None where there are so many that they are chance. */
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
  /** The ways to complete some atoms to the difference by one that stands later. */
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

/** Each record once: it cannot be wrong in two ways. */
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
