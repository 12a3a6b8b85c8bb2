// Days and amounts as banks write them. What a whole file can mean in one way only is read so; what it could mean in two ways is orders,
// never guessed.
import { compare, negate, readAmount } from '../../base/money.ts';
import { dayOf, type RefuseFile, shown } from '../statement.ts';

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export const DECIMAL_SIGNS = ['comma', 'point'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** A cell, with its place for messages. */
export type WrittenCell = { readonly line: number; readonly column: string; readonly text: string };

const PARTS = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T]\d{1,2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const EIGHT = /^\d{8}$/;
const PLACES = { dmy: [2, 1, 0], mdy: [2, 0, 1], ymd: [0, 1, 2] } as const;
const EIGHT_PLACES = { dmy: [4, 2, 0], mdy: [4, 0, 2], ymd: [0, 4, 6] } as const;

/** The day that a text is in an order; null if it is none. A year of two digits is of this century; a time of day is left out. */
export const writtenDay = (text: string, order: DateOrder): string | null => {
  if (EIGHT.test(text)) return eightDigits(text, order);
  const [, first = '', , second = '', third = ''] = PARTS.exec(text) ?? [];
  const parts = [first, second, third];
  const [year = '', month = '', day = ''] = PLACES[order].map((place) => parts[place] ?? '');
  if (![2, 4].includes(year.length) || month.length > 2 || day.length > 2) return null;
  return dayOf(`${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
};

const eightDigits = (text: string, order: DateOrder): string | null => {
  const [year, month, day] = EIGHT_PLACES[order];
  const two = (start: number) => text.slice(start, start + 2);
  return dayOf(`${text.slice(year, year + 4)}-${two(month)}-${two(day)}`);
};

/** The one order in which every cell is a day, or the stated one if every cell is a day in that order. */
export const orderOf = (
  cells: readonly WrittenCell[],
  stated: DateOrder | null,
  refuse: RefuseFile,
): DateOrder => {
  const orders = stated === null ? DATE_ORDERS : [stated];
  const possible = orders.filter((order) => cells.every(({ text }) => writtenDay(text, order) !== null));
  const [order] = possible;
  if (order === undefined) return refuseDay(cells, orders, refuse);
  const unclear = cells.find(({ text }) => new Set(possible.map((one) => writtenDay(text, one))).size > 1);
  if (unclear) {
    const days = possible.map((one) => `${writtenDay(unclear.text, one)} (dates=${one})`);
    refuse(
      unclear.line,
      `the ${unclear.column} ${shown(unclear.text)} is ${days.join(' or ')}, and no other line shows which: add one of these to --map or to the file of --columns`,
    );
  }
  return order;
};

const refuseDay = (
  cells: readonly WrittenCell[],
  orders: readonly DateOrder[],
  refuse: RefuseFile,
): never => {
  const wrong = cells.find(({ text }) => orders.every((order) => writtenDay(text, order) === null));
  const [only] = orders;
  if (wrong && orders.length === 1)
    return refuse(wrong.line, `the ${wrong.column} ${shown(wrong.text)} is no day in the order ${only}`);
  if (wrong)
    return refuse(
      wrong.line,
      `the ${wrong.column} ${shown(wrong.text)} is no day: remove lines that are no payments, and write days as 31/10/2026, 10/31/2026 or 2026-10-31`,
    );
  return refuse(null, 'has days in several orders: download it again');
};

/** Groups of three digits have one separator throughout. */
const FORMS = {
  comma: /^(?:\d+|\d{1,3}(?:([. '’\u00a0\u2007\u2009\u202f])\d{3}(?:\1\d{3})*))(?:,\d+)?$/,
  point: /^(?:\d+|\d{1,3}(?:([, '’\u00a0\u2007\u2009\u202f])\d{3}(?:\1\d{3})*))(?:\.\d+)?$/,
} as const;

/** An amount with its sign before or after it, or in parentheses, as exact text; null if it is none with that decimal sign. */
export const writtenAmount = (text: string, decimal: DecimalSign): string | null => {
  const [, before = '', open = '', digits = '', close = '', after = ''] =
    /^([+\u2212\u2013-]?)(\(?)\s*([\d.,\s'’]*\d)\s*(\)?)([+\u2212\u2013-]?)$/.exec(text) ?? [];
  const marks = [before, after, open + close].filter((mark) => mark !== '');
  if (marks.length > 1 || (open === '') !== (close === '') || !FORMS[decimal].test(digits)) return null;
  const plain = digits.replace(decimal === 'comma' ? /[^\d,]/g : /[^\d.]/g, '').replace(',', '.');
  const read = readAmount(plain);
  if (!('amount' in read)) return null;
  return marks[0] === undefined || marks[0] === '+' ? read.amount : negate(read.amount);
};

/** The one decimal sign with which every cell is an amount, or the stated one; either if both make the same amounts. */
export const decimalOf = (
  cells: readonly WrittenCell[],
  stated: DecimalSign | null,
  refuse: RefuseFile,
): DecimalSign => {
  const signs = stated === null ? DECIMAL_SIGNS : [stated];
  const wrong = cells.find(({ text }) => signs.every((one) => writtenAmount(text, one) === null));
  if (wrong) return refuseAmount(wrong, stated, refuse);
  const possible = signs.filter((one) => cells.every(({ text }) => writtenAmount(text, one) !== null));
  const [sign] = possible;
  if (sign === undefined)
    return refuse(
      null,
      'has amounts with a decimal comma and others with a decimal point: download it again',
    );
  const unclear = cells.find(({ text }) => isUnclear(text, possible));
  if (unclear)
    refuse(
      unclear.line,
      `the ${unclear.column} ${shown(unclear.text)} is ${writtenAmount(unclear.text, 'comma')} (decimal=comma) or ${writtenAmount(unclear.text, 'point')} (decimal=point), and no other line shows which: add one of these to --map or to the file of --columns`,
    );
  return sign;
};

const isUnclear = (text: string, possible: readonly DecimalSign[]): boolean => {
  const [first, second] = possible.map((one) => writtenAmount(text, one));
  return first != null && second != null && compare(first, second) !== 0;
};

const refuseAmount = (
  { line, column, text }: WrittenCell,
  stated: DecimalSign | null,
  refuse: RefuseFile,
): never =>
  refuse(
    line,
    `the ${column} ${shown(text)} is no amount${stated === null ? '' : ` with a decimal ${stated}`}: write digits with a sign, such as -1.234,56 or -1,234.56`,
  );
