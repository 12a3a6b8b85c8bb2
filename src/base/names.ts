// Names of people who prepare and approve: when two of them are one person's. Two are where they cannot be told apart by
// reading; the database, which is asked by other clients too, refuses the plainest of these by itself.
import unhomoglyph from 'unhomoglyph'; // the data of Unicode's UTS #39, confusables.txt
import { UsageError } from './errors.ts';

/** Whether two names are one person's: as written, in small letters or in capitals they look alike. */
export const sameName = (one: string, other: string): boolean => {
  const others = looksOf(other);
  return looksOf(one).some((look, nth) => look === others[nth]);
};

/** 1 and l look alike, and so do 0 and O: capitals and small letters each have their own lookalikes. */
const CASES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
];

/** What a name looks like. "Ada|" is Ada with a sign behind it, and "Bi||" is Bill: each sign is left out, and read as a letter. */
const looksOf = (name: string): string[] =>
  CASES.flatMap((inCase) => {
    const text = inCase(name.normalize('NFKC'));
    return [lettersOf(text), text].map((read) => lettersOf(unhomoglyph(read.normalize('NFD'))));
  });

/** Signs, blanks, what cannot be seen, and accents; the vowel marks of other scripts are letters here. */
const NO_LETTER = /[^\p{L}\p{N}\p{M}]|\p{Script=Inherited}/gu;

const lettersOf = (text: string): string => text.normalize('NFD').replaceAll(NO_LETTER, '');

/** Scripts whose letters can be taken for another's; a name is written in one of them. */
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Georgian'].map(
  (name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'u') }),
);

/** Throws UsageError for a name without a letter, or of scripts whose letters look alike: nobody can tell by reading whose it is. */
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
