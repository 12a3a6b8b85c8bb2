// Names of people who decide: when two of them are one person's. The database holds the plainer half of it.
import { UsageError } from './errors.ts';

/** Whether two names are one person's: case, blanks, what cannot be seen, and letters that look alike do not make another. */
export const sameName = (one: string, other: string): boolean => skeleton(one) === skeleton(other);

/**
 * Small letters of other scripts that, small or capital, look like Latin ones, each with the letter that it looks like: Cyrillic,
 * Greek, and two digits. From confusables.txt of the Unicode Security Mechanisms (UTS #39); both cases of a letter are one.
 */
const LOOKALIKES = [
  ['авсенкмортхуіјѕүԍԛԝһԁӏѵпг', 'abcehkmoptxyijsygqwhdlvnr'],
  ['αβεζηικμνορτυχσγ', 'abezhikmnoptyxoy'],
  ['01', 'ol'],
] as const;

const LATIN: ReadonlyMap<string, string> = new Map(
  LOOKALIKES.flatMap(([letters, latin]) => [...letters].map((letter, nth) => [letter, latin[nth] ?? letter])),
);

/** What a name looks like, in small Latin letters where it could be read so; compatibility forms and blanks aside. */
const skeleton = (name: string): string =>
  [
    ...name
      .normalize('NFKC')
      .replaceAll(/\p{Cf}/gu, '')
      .toLowerCase(),
  ]
    .map((letter) => LATIN.get(letter) ?? letter)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Scripts whose letters can be taken for another's; a name is written in one of them. */
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Georgian'].map(
  (name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'u') }),
);

/** Throws UsageError for a name that mixes scripts whose letters look alike: nobody can tell by reading whose it is. */
export const refuseMixedScripts = (name: string): void => {
  const text = name.normalize('NFKC');
  const found = SCRIPTS.filter(({ letters }) => letters.test(text)).map((script) => script.name);
  if (found.length > 1)
    throw new UsageError(
      `the name "${name.slice(0, 60)}" mixes ${found.join(' and ')} letters, which look alike: write it in one script`,
    );
};
