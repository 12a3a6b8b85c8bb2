import { describe, expect, test } from 'vitest';
import {
  attoOf,
  attoText,
  centsUp,
  compare,
  converted,
  exactSum,
  negate,
  readAmount,
  readRate,
  roundToCents,
  scale,
  shareOf,
  sign,
  subtract,
  sum,
} from '../../src/base/money.ts';

describe('an amount is read', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['0.00000000', '0'],
    ['-0.0', '0'],
    ['0e999', '0'],
    ['10.00000000', '10'],
    ['100', '100'],
    ['007.50', '7.5'],
    ['-1.50', '-1.5'],
    ['1e-7', '0.0000001'],
    ['1E+2', '100'],
    ['1.5e3', '1500'],
    ['1e-18', '0.000000000000000001'],
    ['0.123456789012345678', '0.123456789012345678'],
    ['0.1234567890123456780000', '0.123456789012345678'],
    [
      '999999999999999999999999999999.999999999999999999',
      '999999999999999999999999999999.999999999999999999',
    ],
    ['9007199254740993', '9007199254740993'],
    ['0.1000000000000000055511151231257827', null],
  ])('%s is %s', (sent, amount) => {
    const read = readAmount(sent);
    expect(read).toEqual(amount === null ? { wrong: expect.stringMatching(/^has 34 decimals/) } : { amount });
  });
});

describe('an amount that cannot be booked has a reason', () => {
  test.each([
    ['0.1234567890123456789', 'has 19 decimals, more than 18: 0.1234567890123456789'],
    ['1e-19', 'has 19 decimals, more than 18: 1e-19'],
    ['1e400', 'is 1e30 or more: 1e400'],
    ['1e30', 'is 1e30 or more: 1e30'],
    ['-1e30', 'is 1e30 or more: -1e30'],
    ['1000000000000000000000000000000', 'is 1e30 or more: 1000000000000000000000000000000'],
  ])('%s %s', (sent, wrong) => expect(readAmount(sent)).toEqual({ wrong }));

  test.each([
    '',
    ' ',
    'abc',
    '1,5',
    '.5',
    '5.',
    '+1',
    '--1',
    '1e',
    '0x10',
    'NaN',
    'Infinity',
    '1_000',
    ' 1',
    '1\n',
    '١',
  ])('%j is not a number', (sent) =>
    expect(readAmount(sent)).toEqual({ wrong: expect.stringMatching(/^is not a number/) }),
  );

  test.each([
    [`0.${'1'.repeat(5000)}`, 'has 5002 characters, more than 999: 0.111'],
    ['0'.repeat(1000), 'has 1000 characters, more than 999: 000'],
    ['1e5000', 'has an exponent of more than 3 digits: 1e5000'],
    ['1e-0001', 'has an exponent of more than 3 digits: 1e-0001'],
    ['x'.repeat(5000), 'is not a number: xxx'],
  ])('the reason is true, and short however long the amount is', (sent, reason) => {
    const read = readAmount(sent);
    const wrong = 'wrong' in read ? read.wrong : '';
    expect(wrong.slice(0, reason.length)).toBe(reason);
    expect(wrong.length).toBeLessThan(120);
  });
});

describe('sums are exact', () => {
  const large = '123456789012345678901234567890.123456789012345678';

  test('exact where a float is not', () => {
    expect(sum(['0.1', '0.2'])).toBe('0.3');
    expect(subtract('0.3', '0.1')).toBe('0.2');
    expect(sum(['9007199254740993', '0.000000000000000001'])).toBe('9007199254740993.000000000000000001');
  });

  test('at 48 digits', () => {
    expect(sum([large, '0.000000000000000001'])).toBe('123456789012345678901234567890.123456789012345679');
    expect(subtract(large, '0.000000000000000001')).toBe('123456789012345678901234567890.123456789012345677');
    expect(subtract(large, large)).toBe('0');
  });

  test('at 60 digits', () => {
    const whole = '9'.repeat(42);
    expect(sum([`${whole}.999999999999999999`, '0.000000000000000001'])).toBe(`1${'0'.repeat(42)}`);
    expect(subtract(`1${'0'.repeat(42)}`, '0.000000000000000001')).toBe(`${whole}.999999999999999999`);
  });

  test('over a hundred thousand of the smallest', () => {
    expect(sum(Array.from({ length: 100_000 }, () => '0.000000000000000001'))).toBe('0.0000000000001');
  });

  test('powers of ten are exact', () => {
    expect([scale('12.5', 2), scale(large, -18), scale('0', 3)]).toEqual([
      '1250',
      '123456789012.345678901234567890123456789012345678',
      '0',
    ]);
  });

  test('of no amounts are zero', () => expect(sum([])).toBe('0'));
});

describe('signs and order', () => {
  test('zero has no sign', () => {
    expect(negate('0')).toBe('0');
    expect(negate('1.5')).toBe('-1.5');
    expect(sum(['-1', '1'])).toBe('0');
    expect([sign('-0.000000000000000001'), sign('0'), sign('0.000000000000000001')]).toEqual([-1, 0, 1]);
  });

  test('compare every digit, not the spelling', () => {
    expect(compare('0.123456789012345678', '0.123456789012345677')).toBe(1);
    expect(compare('10.00', '10')).toBe(0);
    expect(compare('-2', '1')).toBe(-1);
  });
});

describe('whole numbers of 1e-18', () => {
  test.each(['0', '1', '-0.5', '0.000000000000000001', '-123456789012345678901234567890.123456789012345678'])(
    '%s survives a round trip',
    (amount) => expect(attoText(attoOf(amount))).toBe(amount),
  );

  test('rounding is half to even, for both signs', () => {
    expect([5n, 15n, 25n, -5n, -15n].map((total) => shareOf(total, 1n, 10n))).toEqual([0n, 2n, 2n, 0n, -2n]);
    expect(['0.005', '0.015', '-0.015', '1.2349'].map((it) => attoText(roundToCents(attoOf(it))))).toEqual([
      '0',
      '0.02',
      '-0.02',
      '1.23',
    ]);
  });

  test('one currency is converted to another by rates of any precision', () => {
    expect(attoText(converted(attoOf('2'), '0.0000166666666666', '0.9'))).toBe('108000.000000432000000002');
    expect(attoText(converted(attoOf('1000000000000000'), '75000000000', '0.9'))).toBe('12000');
  });

  test.each([null, undefined, '0', '-1', 'N/A', '1e99', '', 5])('%j is not a rate', (received) => {
    expect(readRate(received)).toBeNull();
  });

  test('a rate is written out', () => expect(readRate('1.5e-5')).toBe('0.000015'));
});

test('displayed cents are never less than the amount', () => {
  expect(['0', '731.25', '700.000000000000000001', '-0.001', '12.3'].map(centsUp)).toEqual([
    '0.00',
    '731.25',
    '700.01',
    '-0.01',
    '12.30',
  ]);
});

test.each([
  [[], '0'],
  [['0'], '0'],
  [['1.5', '2.5'], '4.0'],
  [['10', '0.25', '0.750'], '11.000'],
  [['0.999999999999999999', '0.000000000000000001'], '1.000000000000000000'],
  [['999999999999999999999999999999', '1'], '1000000000000000000000000000000'],
] as [string[], string][])(
  'the exact sum of %j has the decimals of the amount that has most: %s',
  (amounts, total) => expect(exactSum(amounts)).toBe(total),
);
