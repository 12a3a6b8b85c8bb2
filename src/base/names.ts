// Names of preparers and approvers: detects two spellings that readers cannot tell apart, because they may be the same
// person's. The database refuses the simplest cases itself, because other clients also write to it.
import unhomoglyph from 'unhomoglyph'; // the confusables.txt table of Unicode's UTS #39
import { UsageError } from './errors.ts';

/** Whether two names are spellings of one, or look alike in small letters or in capitals, and so may belong to one person. */
export const sameName = (one: string, other: string): boolean => {
  const others = spellingsOf(other);
  return spellingsOf(one).some((look, nth) => look === others[nth]);
};

/** The ways a name can be read: as written, without the e that is written for an umlaut, and both with the surname on either side. */
const spellingsOf = (name: string): string[] =>
  [name, name.replaceAll(/([aou])e/giu, '$1')].flatMap((spelling) => [
    ...comparableName(spelling),
    wordsOf(spelling).join(' '),
  ]);

/** The words of a name as they look, in an order of their own: "Byron, Ada" is Ada Byron. */
const wordsOf = (name: string): string[] =>
  name
    .split(/[\s,;]+/u)
    .map((word) => comparableName(word.toLowerCase())[0] ?? '')
    .filter((word) => word !== '')
    .sort();

/** 1 and l look alike, and so do 0 and O: capitals and small letters have different lookalikes. */
const CASES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
];

/**
 * The ways a name can be read. Each sign is both dropped and read as a letter: "Ada|" is Ada plus a sign, and "Bi||" is
 * Bill.
 */
const comparableName = (name: string): string[] =>
  CASES.flatMap((inCase) => {
    const text = inCase(name.normalize('NFKC'));
    return [lettersOf(text), text].map((read) => lettersOf(unhomoglyph(read.normalize('NFD'))));
  });

/** Punctuation, blanks, invisible characters and accents; vowel marks of other scripts count as letters. */
const NO_LETTER = /[^\p{L}\p{N}\p{M}]|\p{Script=Inherited}/gu;

const lettersOf = (text: string): string => text.normalize('NFD').replaceAll(NO_LETTER, '');

/** Scripts whose letters look like those of another script; a name uses only one of them. */
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Georgian'].map(
  (name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'u') }),
);

/**
 * Throws UsageError for a name without a letter, or with letters of several lookalike scripts: readers cannot tell whose
 * name it is.
 */
export const refuseUnclearName = (name: string): void => {
  const text = name.normalize('NFKC');
  const shown = name.slice(0, 60);
  if (!/\p{L}/u.test(text)) throw new UsageError(`the name "${shown}" has no letter: write a person's name`);
  const found = SCRIPTS.filter(({ letters }) => letters.test(text)).map((script) => script.name);
  if (found.length > 1)
    throw new UsageError(
      `the name "${shown}" mixes ${found.join(' and ')} letters, which look alike: write it in one script`,
    );
};
