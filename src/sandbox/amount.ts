// Amounts of the stand-in's world: whole numbers of 1e-18, so that its sums share no code with the ledger they check.

/** One, in units of 1e-18. */
export const ONE = 10n ** 18n;

/** Plain decimal text, at most 18 decimals, as units. */
export const unitsOf = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.replace(/^-/, '').split('.');
  const size = BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0'));
  return text.startsWith('-') ? -size : size;
};

/** Units as plain text without trailing zeros. */
export const textOf = (units: bigint): string => {
  const padded = paddedText(units, 0);
  return padded.includes('.') ? padded.replace(/\.?0+$/, '') : padded;
};

/** Units as plain text with at least `decimals` decimals, the way wallet rows are written. */
export const paddedText = (units: bigint, decimals: number): string => {
  const size = units < 0n ? -units : units;
  const fraction = (size % ONE).toString().padStart(18, '0').replace(/0+$/, '').padEnd(decimals, '0');
  return `${units < 0n ? '-' : ''}${size / ONE}${fraction === '' ? '' : `.${fraction}`}`;
};

/** Cut towards zero to a number of decimals. */
export const cut = (units: bigint, decimals: number): bigint => {
  const step = 10n ** BigInt(18 - decimals);
  return (units / step) * step;
};

/** The product, cut to 18 decimals; exact where the decimals of both add up to 18 or fewer. */
export const times = (a: bigint, b: bigint): bigint => (a * b) / ONE;

/** The quotient, cut to 18 decimals. */
export const over = (a: bigint, b: bigint): bigint => (a * ONE) / b;
