// DATEV books one amount from one account to another. An entry of several lines becomes such pairs, exact to the cent:
// debits and credits of the same account cancel; then debits are paired with credits in the order of their accounts.
import type { PackageLine } from './package.ts';

/** One positive amount, from the debited account to the credited one. */
export type AccountPair = {
  readonly debit: PackageLine;
  readonly credit: PackageLine;
  readonly cents: bigint;
};

type OpenAmount = { readonly line: PackageLine; cents: bigint };

/** The rest on each account, debits apart from credits. */
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

/** The pairs of lines that sum to zero; each pair books the smaller of the two rests. */
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
