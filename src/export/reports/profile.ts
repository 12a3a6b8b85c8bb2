// Profiles: how a CSV is written for its reader. Every other profile is rendered from `machine`. The others open correctly
// in Excel by a double click in their country: the digits are the same, only the separators differ.
import { localOf } from '../../base/time.ts';
import { cellText } from './cell-text.ts';
import { type Dialect, guarded } from './csv.ts';
import { type Heading, isFigure, type Language, vocabularies } from './headings.ts';
import { asLiteral } from './literal.ts';
import { reportTitleOf } from './titles.ts';

export type ProfileName = 'machine' | 'excel-es' | 'excel-de' | 'excel-en';

/** What one country expects. `day` writes a date from `2026-10-31`; `exact` heads the added columns of exact text. */
export type Profile = Dialect & {
  readonly language: Language;
  readonly decimal: ',' | '.';
  readonly day: (iso: string) => string;
  /** The same as a number format of Excel, for a workbook. */
  readonly dayFormat: string;
  readonly booleans: readonly [no: string, yes: string];
  readonly exact: string;
  /** The names of accounts in this language, by their English name; absent: as they are. */
  readonly accountNames?: ReadonlyMap<string, string>;
};

const reversed = (separator: string) => (iso: string) => iso.split('-').reverse().join(separator);
const EXCEL = { lineEnd: '\r\n', mark: '\ufeff' } as const;

export const EXCEL_PROFILES: Readonly<Record<Exclude<ProfileName, 'machine'>, Profile>> = {
  'excel-es': {
    ...EXCEL,
    language: 'es',
    separator: ';',
    decimal: ',',
    day: reversed('/'),
    dayFormat: 'dd/mm/yyyy',
    booleans: ['FALSO', 'VERDADERO'],
    exact: 'exacto',
  },
  'excel-de': {
    ...EXCEL,
    language: 'de',
    separator: ';',
    decimal: ',',
    day: reversed('.'),
    dayFormat: 'dd.mm.yyyy',
    booleans: ['FALSCH', 'WAHR'],
    exact: 'genau',
  },
  // Day and month swap between London and New York; a date with the year first is read alike in both.
  'excel-en': {
    ...EXCEL,
    language: 'en',
    separator: ',',
    decimal: '.',
    day: (iso) => iso,
    dayFormat: 'yyyy-mm-dd',
    booleans: ['FALSE', 'TRUE'],
    exact: 'exact',
  },
};

export const PROFILES: readonly ProfileName[] = [
  'machine',
  ...(Object.keys(EXCEL_PROFILES) as (keyof typeof EXCEL_PROFILES)[]),
];

/** Null for `machine`. */
export const profileOf = (name: ProfileName): Profile | null =>
  name === 'machine' ? null : EXCEL_PROFILES[name];

/** A figure with another decimal separator; every digit stays. */
export const figure = (profile: Profile, text: string): string => text.replace('.', profile.decimal);

/** A figure with a decimal point within a sentence, but not a part of a time, a version, an address or a name. */
const FIGURES = /(?<![\w.,:/-])-?\d+\.\d+(?!\.?[\w:/-])/g;

const sentence = (profile: Profile, text: string): string =>
  text.replace(FIGURES, (found) => figure(profile, found));

/** The vocabularies that the chart of accounts and the titles of the reports bring. */
const ACCOUNT_NAME = 'account name';
const REPORT = 'report';

/** Writes a text column: a word, or several with commas between, in the profile's language, a sentence with its decimal separator, other text unchanged. */
export const textWriter = (profile: Profile, { kind, unit }: Heading): ((cell: string) => string) => {
  if (kind === 'sentence') return (cell) => sentence(profile, cell);
  if (kind !== 'word') return (cell) => cell;
  if (unit === ACCOUNT_NAME) return (cell) => profile.accountNames?.get(cell) ?? cell;
  if (unit === REPORT) return (cell) => reportTitleOf(cell).titles[profile.language];
  const words = vocabularies().get(unit);
  const inLanguage = (word: string) => words?.get(word)?.[profile.language];
  return (cell) => inLanguage(cell) ?? listIn(cell, inLanguage) ?? sentence(profile, cell);
};

/** Several words with commas between them; null if one is unknown. */
const listIn = (cell: string, inLanguage: (word: string) => string | undefined): string | null => {
  const words = cell.split(', ').map(inLanguage);
  return words.includes(undefined) ? null : words.join(', ');
};

/** Rewrites a cell of the machine profile for another profile; instants are local to a timezone, to the second. */
export const cellWriter = (
  profile: Profile,
  column: Heading,
  timezone: string,
): ((cell: string) => string) => {
  const { kind } = column;
  if (isFigure(column)) return (cell) => figure(profile, cell);
  if (kind === 'whole') return (cell) => cell;
  if (kind === 'day') return profile.day;
  if (kind === 'instant') return (cell) => instant(profile, cell, timezone);
  if (kind === 'boolean') return (cell) => profile.booleans[cell === 'true' ? 1 : 0];
  const write = textWriter(profile, column);
  return (cell) => cellText(asLiteral(guarded(write(cell))));
};

const instant = (profile: Profile, cell: string, timezone: string): string => {
  const local = localOf(cell, timezone);
  return local === null ? cell : `${profile.day(local.day)} ${local.time}`;
};

/**
 * The exact text beside a figure, which Excel would cut to 15 digits. The unit comes first, so that no spreadsheet reads a
 * number or, if negative, a formula: `BTC -0.123456789012345678`, and `? 1` if the unit is unknown.
 */
export const exactText = (profile: Profile, cell: string, unit: string): string =>
  guarded(`${unit || '?'} ${figure(profile, cell)}`);
