// The total that a batch books on each account of the package, which must be the one of the books.
import { FailedError } from '../../base/errors.ts';
import { decimal, type PackageFormat } from './package.ts';
import type { Item } from './package-parts.ts';

export type AccountSum = { debit: bigint; credit: bigint };

/** Adds what a journal books to the sum of each account. */
export const addSums = (sums: Map<string, AccountSum>, { keyOf }: PackageFormat, { rows }: Item): void => {
  for (const { cents, ...account } of rows.flatMap(({ booking }) => booking)) {
    const sum = sums.get(keyOf(account)) ?? { debit: 0n, credit: 0n };
    if (cents > 0n) sum.debit += cents;
    else sum.credit -= cents;
    sums.set(keyOf(account), sum);
  }
};

/** Throws a FailedError if the files do not sum, account by account, to the totals of the books. */
export const refuseOtherTotals = (
  written: ReadonlyMap<string, bigint>,
  wanted: ReadonlyMap<string, bigint>,
): void => {
  const keys = [...new Set([...written.keys(), ...wanted.keys()])].sort();
  const differing = keys.filter((key) => (written.get(key) ?? 0n) !== (wanted.get(key) ?? 0n));
  if (differing.length === 0) return;
  const lines = differing.map(
    (key) => `${key}: ${decimal(written.get(key) ?? 0n)}, not ${decimal(wanted.get(key) ?? 0n)}`,
  );
  throw new FailedError(
    `the files do not sum to the trial balance, so nothing was exported. Please report this bug:\n  ${lines.join('\n  ')}`,
  );
};
