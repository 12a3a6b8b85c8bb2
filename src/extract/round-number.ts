// Services that reduce a limit reduce it to a round number; a page of that many rows may be a full one.

export const isRound = (rows: number): boolean =>
  rows >= 10 && [10, 16, 25].some((unit) => rows % unit === 0);
