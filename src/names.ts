// Names of people who decide: when two of them are one person's. The database holds the plainer half of it.

/** Whether two names are one person's: case, blanks, and what cannot be seen do not make another. */
export const sameName = (one: string, other: string): boolean => plain(one) === plain(other);

const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
