// Headings: the kind of each report column and its title for people. One line of headings.csv is one column; a column
// that means something else in one report has a line of its own, such as `trades.amount`.
import { join } from 'node:path';
import { bytesOf, readCsvFile } from '../../base/csv-file.ts';
import { packageRoot } from '../../base/root.ts';

export const LANGUAGES = ['en', 'es', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A heading or a word in each language. */
export type Titles = Readonly<Record<Language, string>>;

/**
 * Numeric in Postgres are `quantity` (units of an asset), `money` that adds up down a report, and two kinds of money that
 * do not: `price` (per unit) and `running` (a balance after each line, or a value that two rows share); `whole` are
 * integers. Among texts, an `id` is long and a `code` short, a `word` belongs to a vocabulary, and a `sentence` may
 * contain figures. The other kinds are as their names say.
 */
const KINDS = [
  'text',
  'id',
  'code',
  'word',
  'sentence',
  'quantity',
  'money',
  'price',
  'running',
  'whole',
  'instant',
  'day',
  'boolean',
] as const;
export type ColumnKind = (typeof KINDS)[number];

/**
 * A column. `unit` is the unit of a figure: the column beside it that names its currency, the word `reporting` for
 * the reporting currency, or the unit itself. For words it names their vocabulary in words.csv. `{currency}` in a title
 * stands for the reporting currency.
 */
export type Heading = {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly unit: string;
  readonly titles: Titles;
};

/** A figure with decimals, of which a spreadsheet keeps 15 digits. */
export const isFigure = ({ kind }: Heading): boolean =>
  kind === 'quantity' || kind === 'money' || kind === 'price' || kind === 'running';

const COLUMNS = ['column', 'kind', 'unit', ...LANGUAGES] as const;

const isKind = (word: string): word is ColumnKind => KINDS.some((kind) => kind === word);

const pathOf = (name: string): string => join(packageRoot, 'src', 'export', 'reports', name);
const HEADINGS = pathOf('headings.csv');
const WORDS = pathOf('words.csv');

/** The bytes behind every heading and every word in a cell, for the configuration digest. */
export const headingBytes = (): Buffer => Buffer.concat([bytesOf(HEADINGS), bytesOf(WORDS)]);

let loadedHeadings: ReadonlyMap<string, Heading> | null = null;

/** Every line, by `column` or `report.column`. Throws an error that names the line if one cannot be read. */
export const headings = (): ReadonlyMap<string, Heading> => {
  loadedHeadings ??= read(HEADINGS);
  return loadedHeadings;
};

const read = (path: string): ReadonlyMap<string, Heading> =>
  new Map(
    readCsvFile(path, COLUMNS).map(({ line, cells }) => {
      const { column, kind, unit, ...titles } = cells;
      if (!isKind(kind))
        throw new Error(`${path}: line ${line} says ${kind}: choose from ${KINDS.join(', ')}`);
      return [column, { name: column.replace(/^.*\./, ''), kind, unit, titles }];
    }),
  );

/**
 * A column of a report. A column without a line is text under its own name. Only a month sealed by another version of the
 * program can have one: a test requires a line for each column of today.
 */
export const headingOf = (report: string, name: string): Heading =>
  headings().get(`${report}.${name}`) ??
  headings().get(name) ?? { name, kind: 'text', unit: '', titles: { en: name, es: name, de: name } };

/** A heading in one language. */
export const titleOf = ({ titles }: Heading, language: Language, currency: string): string =>
  titles[language].replace('{currency}', currency);

let loadedWords: ReadonlyMap<string, ReadonlyMap<string, Titles>> | null = null;

/** The words of every vocabulary, by their stable form. */
export const vocabularies = (): ReadonlyMap<string, ReadonlyMap<string, Titles>> => {
  loadedWords ??= readWords();
  return loadedWords;
};

const readWords = (): ReadonlyMap<string, ReadonlyMap<string, Titles>> => {
  const all = new Map<string, Map<string, Titles>>();
  for (const { cells } of readCsvFile(WORDS, ['vocabulary', 'word', ...LANGUAGES])) {
    const { vocabulary, word, ...titles } = cells;
    all.set(vocabulary, (all.get(vocabulary) ?? new Map<string, Titles>()).set(word, titles));
  }
  return all;
};
