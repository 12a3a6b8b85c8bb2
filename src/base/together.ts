// Tasks side by side.

/** The results of all tasks. Waits for every one, so that none continues after a failure; then throws what failed first. */
export const together = async <T extends readonly unknown[] | []>(tasks: T) => {
  const results = Promise.all(tasks);
  await Promise.allSettled([results, ...tasks]);
  return results;
};
