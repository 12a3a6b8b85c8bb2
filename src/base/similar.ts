// The name that somebody probably meant: for "did you mean" in messages.
import { distance } from 'fastest-levenshtein';

const LENGTH_MAX = 100;

/** The name nearest to a word, and how many letters differ; undefined without names, or for a word longer than any name. */
export const nearestName = (word: string, names: readonly string[]) => {
  if (word.length > LENGTH_MAX) return undefined;
  return names
    .map((name) => ({ name, letters: distance(word, name) }))
    .sort((a, b) => a.letters - b.letters)[0];
};

/** The name nearest to a word; null where none is near: at most a third of the word's letters differ, or one holds the other. */
export const similarName = (word: string, names: readonly string[]): string | null => {
  if (word === '' || word.length > LENGTH_MAX) return null;
  const nearest = nearestName(word, names);
  if (nearest && nearest.letters <= Math.ceil(word.length / 3)) return nearest.name;
  return word.length < 4 ? null : (names.find((name) => name.includes(word)) ?? null);
};

/** ` Did you mean …?` for the end of a message; empty where no name is near. */
export const meantText = (word: string, names: readonly string[]): string => {
  const name = similarName(word, names);
  return name === null ? '' : ` Did you mean ${name}?`;
};
