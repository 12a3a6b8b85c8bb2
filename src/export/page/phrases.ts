// Phrases of the page in each language: one table, phrases.csv. A phrase may have places `{name}`, and two forms, of one and of
// more, separated by `|`: `n` decides which. A phrase that is missing is an error of the program, never half a page.
import { join } from 'node:path';
import { bytesOf, readCsvFile } from '../../base/csv-file.ts';
import { attoOf, attoText, roundToCents, scale, shareOf } from '../../base/money.ts';
import { packageRoot } from '../../base/root.ts';
import { headingOf, LANGUAGES, type Language, vocabularies } from '../reports/headings.ts';
import { type ProfileName, profileOf } from '../reports/profile.ts';
import { type Html, html, instant, quantity } from './text.ts';

type Values = Readonly<Record<string, string | number | Html>>;

/** How a page speaks: its language, its decimal sign, and its phrases. */
export type Phrases = {
  readonly language: Language;
  /** The decimal sign. */
  readonly mark: '.' | ',';
  /** A phrase as markup; its values are escaped. */
  readonly say: (key: string, values?: Values) => Html;
  /** A phrase as text, for attributes. */
  readonly text: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** The places of a phrase; null if there is no such phrase. */
  readonly places: (key: string) => readonly string[] | null;
  /** An exact amount with the decimal sign of the language, grouped by three. `isChange` adds a plus sign. */
  readonly amount: (exact: string, options?: AmountOptions) => Html;
  /** A word of a closed set, by its stable form (words.csv); another word stays as it is. */
  readonly word: (vocabulary: string, stable: string | null | undefined) => string;
  /** The heading of a report's column (headings.csv). */
  readonly heading: (column: string) => string;
  /** A count, its digits grouped by three. */
  readonly count: (many: number) => string;
  /** `2026-10` as `October 2026`; other periods likewise. */
  readonly period: (name: string) => string;
  /** `2026-10-01` as `1 Oct`, or as `Oct 2026` if it represents its month. */
  readonly day: (day: string, unit?: 'day' | 'month') => string;
  /** An instant to the minute, or the word for none. */
  readonly moment: (moment: string | null | undefined) => Html;
  /** `part` of `whole` in percent, with so many decimals; a dash if there is no whole, or one of them is not known. */
  readonly percent: (part: string | null, whole: string | null, decimals?: 1 | 2 | 3) => Html;
};

type AmountOptions = { readonly decimals?: number; readonly isChange?: boolean };

const FILE = join(packageRoot, 'src', 'export', 'page', 'phrases.csv');

/** The bytes behind every phrase, for the configuration digest. */
export const phraseBytes = (): Buffer => bytesOf(FILE);

type Texts = Readonly<Record<Language, string>>;
let loaded: ReadonlyMap<string, Texts> | null = null;

const phrases = (): ReadonlyMap<string, Texts> => {
  loaded ??= new Map(
    readCsvFile(FILE, ['key', ...LANGUAGES]).map(({ cells: { key, ...texts } }) => [key, texts]),
  );
  return loaded;
};

/** The language of a profile: `machine` is English. */
export const languageOf = (profile: ProfileName): Language => profileOf(profile)?.language ?? 'en';

export const phrasesOf = (language: Language): Phrases => {
  const mark = language === 'en' ? '.' : ',';
  const count = (many: number): string =>
    String(many).replace(/\B(?=(\d{3})+$)/g, language === 'en' ? ',' : '.');
  const found = (key: string, values: Values): string => {
    const text = phrases().get(key)?.[language];
    if (text === undefined || text === '') throw new Error(`${FILE}: no phrase ${key} in ${language}`);
    const [one = '', more = one] = text.split('|');
    return values.n === undefined || values.n === 1 ? one : more;
  };
  const amount: Phrases['amount'] = (exact, { decimals, isChange = false } = {}) =>
    quantity(exact, decimals, { mark, isChange });
  const text: Phrases['text'] = (key, values = {}) =>
    found(key, values).replace(/\{(\w+)\}/g, (_, name: string) => shown(placeValue(key, values, name)));
  const shown = <T extends string | Html>(value: T | number): T | string =>
    typeof value === 'number' ? count(value) : value;
  const say: Phrases['say'] = (key, values = {}) => {
    const parts = found(key, values).split(/\{(\w+)\}/);
    return html`${parts.map((part, i) => (i % 2 === 0 ? part : shown(placeValue(key, values, part))))}`;
  };
  return {
    language,
    mark,
    amount,
    text,
    places: (key) => placesIn(phrases().get(key)?.[language]),
    period: (name) => periodText(text, name),
    say,
    count,
    word: (vocabulary, stable) =>
      vocabularies()
        .get(vocabulary)
        ?.get(stable ?? '')?.[language] ??
      stable ??
      '',
    heading: (column) => headingOf('', column).titles[language],
    day: (day, unit = 'day') => dayText(text, day, unit),
    moment: (moment) => (moment ? instant(moment) : html`<span class="none">${say('none')}</span>`),
    percent: (part, whole, decimals = 1) =>
      part === null || whole === null || whole === '0'
        ? html`<span class="none">–</span>`
        : html`${amount(shareText(part, whole, decimals))}\u00a0%`,
  };
};

const placesIn = (text: string | undefined): string[] | null =>
  text === undefined ? null : [...text.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => place);

const placeValue = <T extends string | Html>(
  key: string,
  values: Readonly<Record<string, T | number>>,
  name: string,
): T | number => {
  const value = values[name];
  if (value === undefined) throw new Error(`${FILE}: ${key} has no value for {${name}}`);
  return value;
};

const dayText = (text: Phrases['text'], day: string, unit: 'day' | 'month'): string => {
  const [year = '', number = '', date = ''] = day.split('-');
  const month = text('months.short').split(',')[Number.parseInt(number, 10) - 1] ?? number;
  return unit === 'month'
    ? text('day.month', { month, year })
    : text('day', { day: String(Number.parseInt(date, 10)), month });
};

const periodText = (text: Phrases['text'], name: string): string => {
  const [, year = '', quarter, month] = /^(\d{4})-(?:Q(\d)|(\d{2}))$/.exec(name) ?? [];
  if (quarter) return text('period.quarter', { quarter, year });
  const [from = '', to] = name.split('..');
  if (to !== undefined) return text('period.range', { from, to });
  return month
    ? text('period.month', {
        month: text('months').split(',')[Number.parseInt(month, 10) - 1] ?? month,
        year,
      })
    : name;
};

/** The share in percent with so many decimals, rounded half to even. */
const shareText = (part: string, whole: string, decimals: 1 | 2 | 3): string => {
  const share = shareOf(attoOf(`1${'0'.repeat(decimals)}`), attoOf(part), attoOf(whole));
  return fixed(scale(attoText(roundToCents(share)), 2 - decimals), decimals);
};

const fixed = (exact: string, decimals: number): string => {
  const [whole = '0', fraction = ''] = exact.split('.');
  return `${whole}.${fraction.padEnd(decimals, '0')}`;
};

/** The amount in full cents: `12.5` as `12.50`. */
export const inCents = (exact: string): string => fixed(attoText(roundToCents(attoOf(exact))), 2);
