// Days and amounts as banks write them: a clear value is read, an ambiguous one is refused with the choice to make.
import { describe, expect, test } from 'vitest';
import { decimalOf, orderOf, writtenAmount, writtenDay } from '../../src/external/formats/written-values.ts';
import { refuserOf } from '../../src/external/statement.ts';

const refuse = refuserOf('f.csv');
const cells = (...texts: readonly string[]) =>
  texts.map((text, index) => ({ line: index + 2, column: 'date', text }));

test.each([
  ['31/10/2026', 'dmy', '2026-10-31'],
  ['1.2.26', 'dmy', '2026-02-01'],
  ['10-31-2026', 'mdy', '2026-10-31'],
  ['2026/10/31', 'ymd', '2026-10-31'],
  ['26.10.31', 'ymd', '2026-10-31'],
  ['20261031', 'ymd', '2026-10-31'],
  ['31102026', 'dmy', '2026-10-31'],
  ['31/10/2026 10:22:33', 'dmy', '2026-10-31'],
  ['2026-10-31T10:22:33.123+01:00', 'ymd', '2026-10-31'],
  ['31/10/2026', 'mdy', null],
  ['31/02/2026', 'dmy', null],
  ['31/10.2026', 'dmy', null],
  ['31/10/026', 'dmy', null],
  ['2026-10-31', 'dmy', null],
  ['31 Oct 2026', 'dmy', null],
  ['', 'dmy', null],
] as const)('%s in the order %s is %s', (text, order, day) => {
  expect(writtenDay(text, order)).toBe(day);
});

describe('the order of days', () => {
  test.each([
    [['01/02/2026', '31/01/2026'], null, 'dmy'],
    [['01/02/2026', '01/31/2026'], null, 'mdy'],
    [['2026-02-01'], null, 'ymd'],
    [['05/05/2026', '7/7/2026'], null, 'dmy'], // the same days in both orders
    [['01/02/2026'], 'mdy', 'mdy'],
  ] as const)('%s, stated %s: %s', (texts, stated, order) => {
    expect(orderOf(cells(...texts), stated, refuse)).toBe(order);
  });

  test.each([
    [
      ['05/05/2026', '01/02/2026'],
      null,
      /^f\.csv: line 3: the date "01\/02\/2026" is 2026-02-01 \(dates=dmy\) or 2026-01-02 \(dates=mdy\), and no other line shows which: add one of these to --map/,
    ],
    [['01.02.26'], null, /2026-02-01 \(dates=dmy\) or 2026-01-02 \(dates=mdy\) or 2001-02-26 \(dates=ymd\)/],
    [['31/10/2026', '10/31/2026'], null, /has days in several orders: download it again/],
    [['Total'], null, /line 2: the date "Total" is no day: remove lines that are no payments/],
    [['31/10/2026'], 'mdy', /line 2: the date "31\/10\/2026" is no day in the order mdy/],
  ] as const)('refused: %s, stated %s', (texts, stated, message) => {
    expect(() => orderOf(cells(...texts), stated, refuse)).toThrow(message);
  });
});

test.each([
  ['1.234,56', 'comma', '1234.56'],
  ['-1.234.567,8', 'comma', '-1234567.8'],
  ['1 234,56', 'comma', '1234.56'],
  ['1\u202f234,56', 'comma', '1234.56'],
  ["1'234.56", 'point', '1234.56'],
  ['1,234.56-', 'point', '-1234.56'],
  ['+0.10', 'point', '0.1'],
  ['\u22125,00', 'comma', '-5'],
  ['(12.30)', 'point', '-12.3'],
  ['1234', 'comma', '1234'],
  ['-0,00', 'comma', '0'],
  ['1.23', 'comma', null],
  ['12,345.6', 'comma', null],
  ['1.2345,6', 'comma', null],
  ['1.234 567,8', 'comma', null],
  ['-1-', 'comma', null],
  ['(-1)', 'comma', null],
  ['(1', 'comma', null],
  ['1e3', 'point', null],
  ['12 EUR', 'point', null],
  ['', 'comma', null],
] as const)('%s with a decimal %s is %s', (text, decimal, amount) => {
  expect(writtenAmount(text, decimal)).toBe(amount);
});

describe('the decimal sign', () => {
  test.each([
    [['1.234', '1,5'], null, 'comma'],
    [['1,234', '1.5'], null, 'point'],
    [['12', '-3'], null, 'comma'], // the same amounts with both
    [['1.234'], 'point', 'point'],
  ] as const)('%s, stated %s: %s', (texts, stated, sign) => {
    expect(decimalOf(cells(...texts), stated, refuse)).toBe(sign);
  });

  test.each([
    [
      ['12', '1.234'],
      null,
      /line 3: the date "1\.234" is 1234 \(decimal=comma\) or 1\.234 \(decimal=point\), and no other line shows which/,
    ],
    [['1,5', '1.5'], null, /has amounts with a decimal comma and others with a decimal point/],
    [['1.5'], 'comma', /line 2: the date "1\.5" is no amount with a decimal comma: write digits with a sign/],
    [['much'], null, /line 2: the date "much" is no amount: write digits/],
  ] as const)('refused: %s, stated %s', (texts, stated, message) => {
    expect(() => decimalOf(cells(...texts), stated, refuse)).toThrow(message);
  });
});
