// The layout of a report's columns: the width and the number format of each kind, and how its cells become values.
import { DAY_MS, localOf, msOf } from '../../base/time.ts';
import type { ColumnKind, Heading } from '../reports/headings.ts';
import { EXCEL_PROFILES, type Profile, textWriter } from '../reports/profile.ts';
import { isFigureText, type Value } from './cells.ts';

/** Widths in characters. Long ids show their first characters, which tell them apart; whoever needs more widens the column. */
export const WIDTHS: Readonly<Record<ColumnKind, number>> = {
  text: 23,
  id: 10,
  code: 9,
  word: 13,
  sentence: 36,
  quantity: 14,
  money: 12,
  price: 14,
  running: 12,
  whole: 8,
  instant: 17,
  day: 10.5,
  boolean: 10,
};

/** The width of a column of exact text, which is not printed. */
export const EXACT_WIDTH = 30;

export const COUNT_FORMAT = '#,##0';
export const MONEY_FORMAT = '#,##0.00';
/** Eight decimals as far as there are any: most units of coins. */
const UNITS_FORMAT = `#,##0.00${'#'.repeat(6)}`;
/** For what would be shown as zero: as many decimals as an amount may have. */
const DUST_FORMAT = `#,##0.00${'#'.repeat(16)}`;

/** Without a profile, figures and dates look as in this one, and sheets and columns have their stable names. */
export const PLAIN = EXCEL_PROFILES['excel-en'];

/** The number format of a column, also for what people type into it later. */
export const formatOf = ({ kind }: Heading, profile: Profile | null): string => {
  const { dayFormat } = profile ?? PLAIN;
  if (kind === 'instant') return `${dayFormat} hh:mm:ss`;
  if (kind === 'day') return dayFormat;
  if (kind === 'money' || kind === 'running') return MONEY_FORMAT;
  if (kind === 'quantity' || kind === 'price') return UNITS_FORMAT;
  return kind === 'whole' ? COUNT_FORMAT : '@';
};

/** Figures that a format would show as zero. */
const LOST: Readonly<Record<string, RegExp>> = {
  [MONEY_FORMAT]: /^-?0\.00\d*[1-9]/,
  [UNITS_FORMAT]: /^-?0\.0{8}\d*[1-9]/,
};

/** The format of one figure: its column's, or one with more decimals if it is too small for that. */
export const formatOfFigure = (digits: string, format: string): string => {
  if (!LOST[format]?.test(digits)) return format;
  return formatOfFigure(digits, format === MONEY_FORMAT ? UNITS_FORMAT : DUST_FORMAT);
};

/** Reads a cell of the machine profile that holds no figure with decimals. */
export const cellReader = (
  column: Heading,
  profile: Profile | null,
  timezone: string,
): ((cell: string) => Value) => {
  const { kind } = column;
  const { booleans } = profile ?? PLAIN;
  if (kind === 'whole') return (cell) => (isFigureText(cell) ? { digits: cell } : cell);
  if (kind === 'instant') return (cell) => serial(localOf(cell, timezone)) ?? cell;
  if (kind === 'day') return (cell) => serial({ day: cell, time: '00:00:00' });
  if (kind === 'boolean') return (cell) => booleans[cell === 'true' ? 1 : 0]; // LibreOffice turns a boolean into a formula
  return profile === null ? (cell) => cell : textWriter(profile, column);
};

/** 1970-01-01 as a serial number of Excel. */
const EPOCH = 25_569;

/** A date as a serial number of Excel: days, with the time as a fraction. */
const serial = (local: { readonly day: string; readonly time: string } | null): Value =>
  local === null ? null : msOf(`${local.day}T${local.time}Z`) / DAY_MS + EPOCH;
