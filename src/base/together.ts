// Tasks side by side.
import pLimit from 'p-limit';

/** The results of all tasks. Waits for every one, so that none continues after a failure; then throws what failed first. */
export const together = async <T extends readonly unknown[] | []>(tasks: T) => {
  const results = Promise.all(tasks);
  await Promise.allSettled([results, ...tasks]);
  return results;
};

/** Runs at most so many tasks at once, in the order in which they are given. */
export const atMost = (tasks: number): (<T>(task: () => Promise<T>) => Promise<T>) => {
  const limit = pLimit(tasks);
  return (task) => limit(task);
};
