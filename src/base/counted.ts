// Numbers and lists as words.

/** How many names a message has room for. */
const NAMES_MAX = 5;

/** The first names, and how many others there are: `a, b and 3 more`. */
export const firstOf = (names: readonly string[], namesMax: number = NAMES_MAX): string => {
  const others = names.length - namesMax;
  return `${names.slice(0, namesMax).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
};

/** A count with its noun in singular or plural: `1 break`, `2 breaks`, `0 entries`. */
export const counted = (many: number, one: string, more?: string): string =>
  `${many} ${nounFor(many, one, more)}`;

/** The noun alone: `break`, `breaks`. */
const nounFor = (many: number, one: string, more = `${one}s`): string => (many === 1 ? one : more);
