// A count with its noun, in the number that it has: `1 break`, `2 breaks`, `0 entries`.
export const counted = (many: number, one: string, more = `${one}s`): string =>
  `${many} ${many === 1 ? one : more}`;
