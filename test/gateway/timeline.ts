// A clock for tests that jumps from one sleeper to the next: hours pass in milliseconds.

type Timeline = {
  readonly startMs: number;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Moves time on until all of `work` is done. */
  play(work: readonly Promise<unknown>[]): Promise<void>;
};

export const timeline = (startMs = 1_767_225_600_000): Timeline => {
  let nowMs = startMs;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ at: nowMs + ms, wake });
    });
  const play = async (work: readonly Promise<unknown>[]) => {
    let done = false;
    const end = Promise.all(work).finally(() => {
      done = true;
    });
    while (!done) {
      await new Promise(setImmediate);
      sleepers.sort((a, b) => a.at - b.at);
      const next = sleepers.shift();
      nowMs = Math.max(nowMs, next?.at ?? nowMs);
      next?.wake();
    }
    await end;
  };
  return { startMs, now: () => nowMs, sleep, play };
};

/** The most that any window of this length holds. */
export const densest = (sends: readonly number[], lengthMs: number): number =>
  Math.max(
    0,
    ...sends.map((from) => sends.filter((sentAtMs) => sentAtMs >= from && sentAtMs < from + lengthMs).length),
  );
