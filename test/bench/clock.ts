// The clock of measurements.

/** The seconds that some work took, and its result. */
export const timed = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly seconds: number }> => {
  const began = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - began) / 1_000 };
};

/** Seconds alone. */
export const took = async (work: () => Promise<unknown>): Promise<number> => (await timed(work)).seconds;

export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
