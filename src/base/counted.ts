// Formats a count with its noun in singular or plural: `1 break`, `2 breaks`, `0 entries`.
export const counted = (many: number, one: string, more?: string): string =>
  `${many} ${nounFor(many, one, more)}`;

/** The noun alone: `break`, `breaks`. */
const nounFor = (many: number, one: string, more = `${one}s`): string => (many === 1 ? one : more);
