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
    const text = inCase(withCapitals(name.normalize('NFKC')));
    return [lettersOf(text), text].map((read) => lettersOf(unhomoglyph(read.normalize('NFD'))));
  });

/** Punctuation, blanks, accents, and what is not seen, such as the Korean filler, which is a letter to Unicode. */
const NO_LETTER = /[^\p{L}\p{N}\p{M}]|\p{Script=Inherited}|\p{Default_Ignorable_Code_Point}/gu;

/** Marks on letters of these scripts are accents, whatever script a mark is of; in other scripts they are vowels. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}])\p{M}+/gu;

const lettersOf = (text: string): string =>
  text.normalize('NFD').replaceAll(NO_LETTER, '').replaceAll(ACCENTS, '');

/** Small capitals, which look like capitals and have no capital form. */
const SMALL_CAPITALS = new Map(
  [
    ...'\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18\ua7af\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22',
  ].map((letter, nth) => [letter, 'ABCDEFGHIJKLMNOPQRSTUVWYZ'.charAt(nth)]),
);

const withCapitals = (name: string): string =>
  [...name].map((letter) => SMALL_CAPITALS.get(letter) ?? letter).join('');

/** Scripts whose letters look like those of another script; a name uses only one of them. */
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Georgian'].map(
  (name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'u') }),
);

/**
 * Throws UsageError for a name without a letter, with a picture, which may stand for a letter, or with letters of several lookalike
 * scripts: readers cannot tell whose name it is.
 */
export const refuseUnclearName = (name: string): void => {
  const text = name.normalize('NFKC');
  const shown = name.slice(0, 60);
  if (!/\p{L}/u.test(text)) throw new UsageError(`the name "${shown}" has no letter: write a person's name`);
  if (/\p{So}/u.test(text))
    throw new UsageError(`the name "${shown}" has a picture in it: write it in letters`);
  const found = SCRIPTS.filter(({ letters }) => letters.test(text)).map((script) => script.name);
  if (found.length > 1)
    throw new UsageError(
      `the name "${shown}" mixes ${found.join(' and ')} letters, which look alike: write it in one script`,
    );
};
