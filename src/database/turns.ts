// Turns: work on one connection, one piece after the other, while the program goes on.

/** Work in turn, in the order in which it was given. After a failure nothing more runs, and everybody learns of the first. */
export type Turns = {
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Waits until the connection is free. Throws what failed. */
  readonly settled: () => Promise<void>;
};

export const inTurn = (): Turns => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (work) => {
      const turn = last.then(work);
      turn.catch(() => {}); // whoever waits for a turn learns of it
      last = turn;
      return turn;
    },
    settled: async () => {
      await last;
    },
  };
};
