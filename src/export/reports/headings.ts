// Headings: what each column of a report is, and what people call it. One line of headings.csv is one column; a column
// that means something else in one report has a line of its own there, such as `trades.amount`.
import { join } from 'node:path';
import { readCsvFile } from '../../base/csv-file.ts';
import { packageRoot } from '../../base/root.ts';

export const LANGUAGES = ['en', 'es', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Numeric in Postgres are `quantity` (units of an asset) and `money`; `whole` are integers; the rest is as it is called. */
export const KINDS = ['text', 'quantity', 'money', 'whole', 'instant', 'day', 'boolean'] as const;
export type ColumnKind = (typeof KINDS)[number];

/**
 * A column. `unit` says what a figure counts: the column beside it that names its currency, the word `reporting` for
 * the reporting currency, or the unit itself.
 */
export type Heading = {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly unit: string;
  readonly titles: Readonly<Record<Language, string>>;
};

const COLUMNS = ['column', 'kind', 'unit', ...LANGUAGES] as const;

const isKind = (word: string): word is ColumnKind => KINDS.some((it) => it === word);

let known: ReadonlyMap<string, Heading> | null = null;

/** Every line, by `column` or `report.column`. Throws a UsageError that names the line where one cannot be read. */
export const headings = (): ReadonlyMap<string, Heading> => {
  known ??= read(join(packageRoot, 'src', 'export', 'reports', 'headings.csv'));
  return known;
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
 * A column of a report. One that no line tells of is text under its own name: only a month that another program sealed
 * can hold such a one, since a test asks for a line for each of today's.
 */
export const headingOf = (report: string, name: string): Heading =>
  headings().get(`${report}.${name}`) ??
  headings().get(name) ?? { name, kind: 'text', unit: '', titles: { en: name, es: name, de: name } };
