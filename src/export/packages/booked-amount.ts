// What a line of a package's file books, read back from its cells.

/** An account by the package's key of it, and an amount as text with a decimal point, debit positive. */
export type BookedAmount = readonly [key: string, amount: string];

/** The amount of a line with a column for debits and one for credits, of which one is empty. */
export const sideAmount = (debit = '', credit = ''): string => {
  if (debit !== '') return debit;
  return credit === '' ? '0' : `-${credit}`;
};
