// Names of people who decide: when two of them are one person's, as the database sees it too.

/** Whether two names are one person's: case and blanks around do not make another. */
export const sameName = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();
