// DATEV books one amount from one account against another. An entry of several lines becomes such pairs, to the cent: what
// meets itself on one account cancels, and debits are paired with credits in the order in which their accounts came.
import type { PackageLine } from './package.ts';

/** One amount above zero, from the account debited to the one credited. */
export type AccountPair = {
  readonly debit: PackageLine;
  readonly credit: PackageLine;
  readonly cents: bigint;
};

type OpenAmount = { readonly line: PackageLine; cents: bigint };

/** What is left of each account, debits apart from credits. */
const openOf = (lines: readonly PackageLine[]): { debits: OpenAmount[]; credits: OpenAmount[] } => {
  const sums = new Map<string, OpenAmount>();
  for (const line of lines) {
    const open = sums.get(line.code) ?? { line, cents: 0n };
    open.cents += line.cents;
    sums.set(line.code, open);
  }
  const all = [...sums.values()];
  return {
    debits: all.filter(({ cents }) => cents > 0n),
    credits: all.filter(({ cents }) => cents < 0n).map((side) => ({ ...side, cents: -side.cents })),
  };
};

/** The pairs of lines that sum to zero, each booking as much as both sides still have. */
export const pairsOf = (lines: readonly PackageLine[]): AccountPair[] => {
  const { debits, credits } = openOf(lines);
  const pairs: AccountPair[] = [];
  for (let [debit, credit] = [debits.shift(), credits.shift()]; debit && credit; ) {
    const cents = debit.cents < credit.cents ? debit.cents : credit.cents;
    pairs.push({ debit: debit.line, credit: credit.line, cents });
    debit.cents -= cents;
    credit.cents -= cents;
    if (debit.cents === 0n) debit = debits.shift();
    if (credit.cents === 0n) credit = credits.shift();
  }
  return pairs;
};
