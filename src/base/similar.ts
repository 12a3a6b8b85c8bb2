// Finds the name that the user probably meant, for "did you mean" in messages.

/** The number of letters to add, remove, replace or swap with the next one to turn one word into the other. */
export const editDistance = (left: string, right: string): number => {
  let [earlier, previous] = [
    [] as number[],
    Array.from({ length: right.length + 1 }, (_, position) => position),
  ];
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + same,
        swapped ? (earlier[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [earlier, previous] = [previous, current];
  }
  return previous[right.length] ?? 0;
};

const LENGTH_MAX = 100;

/**
 * The name closest to a word: at most a third of the letters differ, or one contains the other. Null if none is that
 * close.
 */
export const similarName = (word: string, names: readonly string[]): string | null => {
  if (word === '' || word.length > LENGTH_MAX) return null;
  const near = names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .sort((a, b) => a.distance - b.distance)[0];
  if (near && near.distance <= Math.max(1, Math.floor(word.length / 3))) return near.name;
  return word.length < 4 ? null : (names.find((name) => name.includes(word)) ?? null);
};
