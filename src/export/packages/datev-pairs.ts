// DATEV books one amount from one account to another. An entry of several lines becomes such pairs, exact to the cent: debits
// and credits of the same account cancel; then each account is booked against one of them, the money paid with if there is any.
// So the same kinds of entries give the same pairs of accounts, and sums of many entries stay short.
import { type AccountSide, type PackageLine, sideOf, targetKey } from './package.ts';

/** Positive cents, from the debited account to the credited one. */
type AccountPair = readonly [debit: AccountSide, credit: AccountSide];

/** The pairs of lines that sum to zero, in the order of the lines. `currency` is the reporting currency. */
export const pairsOf = (
  lines: readonly PackageLine[],
  { currency }: { readonly currency: string },
): AccountPair[] => {
  const sides = openSides(lines);
  const hub = hubOf(sides, currency);
  return sides
    .filter((side) => side !== hub)
    .map((side): AccountPair => {
      const against = { ...(hub ?? side), cents: -side.cents };
      return side.cents > 0n ? [side, against] : [against, side];
    });
};

/** The rest on each account with its tax and dimensions, without those that are zero. */
const openSides = (lines: readonly PackageLine[]): AccountSide[] => {
  const sums = new Map<string, AccountSide>();
  for (const side of lines.map(sideOf)) {
    const key = targetKey({ ...side, name: '' });
    const known = sums.get(key);
    const moved = [...(known?.moved ?? []), ...side.moved];
    sums.set(key, { ...(known ?? side), moved, cents: (known?.cents ?? 0n) + side.cents });
  }
  return [...sums.values()].filter(({ cents }) => cents !== 0n);
};

/** The account against which the others are booked: money of the books' currency, else another asset, by its code. */
const hubOf = (sides: readonly AccountSide[], currency: string): AccountSide | undefined => {
  const rank = ({ code, moved }: AccountSide): string => {
    const isShared = sides.filter((side) => side.code === code).length > 1; // DATEV books no account against itself
    const assets = moved.filter(({ account }) => account.startsWith('assets:'));
    const isMoney = assets.some((asset) => asset.currency === currency);
    return `${isShared ? 1 : 0} ${isMoney ? 0 : assets.length > 0 ? 1 : 2} ${code}`;
  };
  const ranked = sides.map((side) => ({ side, rank: rank(side) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))[0]?.side;
};
