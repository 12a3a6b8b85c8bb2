// DATEV books one amount from one account against another. An entry of several lines becomes such pairs, to the cent: what
// meets itself on one account cancels, and debits are paired with credits in the order in which their accounts came.
import type { PackageLine } from './package.ts';

/** One amount above zero, from the account debited to the one credited. */
export type Pair = { readonly debit: PackageLine; readonly credit: PackageLine; readonly cents: bigint };

type Open = { readonly line: PackageLine; cents: bigint };

/** What is left of each account, debits apart from credits. */
const openOf = (lines: readonly PackageLine[]): { debits: Open[]; credits: Open[] } => {
  const sums = new Map<string, Open>();
  for (const line of lines) {
    const open = sums.get(line.code) ?? { line, cents: 0n };
    open.cents += line.cents;
    sums.set(line.code, open);
  }
  const all = [...sums.values()];
  return {
    debits: all.filter(({ cents }) => cents > 0n),
    credits: all.filter(({ cents }) => cents < 0n).map((it) => ({ ...it, cents: -it.cents })),
  };
};

/** The pairs of lines that sum to zero, each booking as much as both sides still have. */
export const pairsOf = (lines: readonly PackageLine[]): Pair[] => {
  const { debits, credits } = openOf(lines);
  const pairs: Pair[] = [];
  for (let [d, c] = [debits.shift(), credits.shift()]; d && c; ) {
    const cents = d.cents < c.cents ? d.cents : c.cents;
    pairs.push({ debit: d.line, credit: c.line, cents });
    d.cents -= cents;
    c.cents -= cents;
    if (d.cents === 0n) d = debits.shift();
    if (c.cents === 0n) c = credits.shift();
  }
  return pairs;
};
