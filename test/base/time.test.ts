import { describe, expect, test } from 'vitest';
import { earlier, monthOf, msOf, order, readInstant, readTime } from '../../src/base/time.ts';

describe('an instant is read', () => {
  test.each([
    ['as sent', '2026-11-03T10:00:00.000Z', '2026-11-03T10:00:00.000Z'],
    ['without a fraction', '2026-11-03T10:00:00Z', '2026-11-03T10:00:00.000Z'],
    ['with one decimal', '2026-11-03T10:00:00.5Z', '2026-11-03T10:00:00.500Z'],
    ['with microseconds', '2026-11-03T10:00:00.123456Z', '2026-11-03T10:00:00.123456Z'],
    [
      'with microseconds that are whole milliseconds',
      '2026-11-03T10:00:00.123000Z',
      '2026-11-03T10:00:00.123Z',
    ],
    [
      'with nanoseconds, cut and not rounded',
      '2026-11-03T10:00:00.123456999Z',
      '2026-11-03T10:00:00.123456Z',
    ],
    ['east of Greenwich', '2026-01-01T00:30:00.123456+01:00', '2025-12-31T23:30:00.123456Z'],
    ['west of Greenwich', '2026-12-31T20:00:00-05:00', '2027-01-01T01:00:00.000Z'],
    ['half an hour off', '2026-11-03T10:00:00+05:30', '2026-11-03T04:30:00.000Z'],
    ['without seconds', '2026-11-03T10:00Z', '2026-11-03T10:00:00.000Z'],
    ['without a colon in the offset', '2026-11-03T10:00:00.5+0530', '2026-11-03T04:30:00.500Z'],
    ['with an offset of whole hours', '2026-11-03T10:00-05', '2026-11-03T15:00:00.000Z'],
    ['with a comma as the decimal sign', '2026-11-03T10:00:00,25Z', '2026-11-03T10:00:00.250Z'],
    ['with picoseconds, cut', '2026-11-03T10:00:00.1234569999999Z', '2026-11-03T10:00:00.123456Z'],
    ['in lower case', '2026-11-03t10:00:00z', '2026-11-03T10:00:00.000Z'],
    ['on a leap day', '2028-02-29T23:59:59.999Z', '2028-02-29T23:59:59.999Z'],
    ['on the first day that the books reach', '1970-01-02T00:00:00Z', '1970-01-02T00:00:00.000Z'],
    ['on the last day that the books reach', '2999-12-30T23:59:59.999Z', '2999-12-30T23:59:59.999Z'],
  ])('%s', (_, sent, read) => expect(readInstant(sent)).toBe(read));
});

describe('what is not an instant is null', () => {
  test.each([
    '',
    'yesterday',
    '1970-01-01T23:59:59Z',
    '2999-12-31T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-11-03',
    '2026-11-03 10:00:00Z',
    '2026-11-03T10:00:00',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-02-31T10:00:00+02:00',
    '2026-04-31T10:00:00-02:00',
    '2026-11-03T24:00:00Z',
    '2026-11-03T25:00:00Z',
    '2026-11-03T10:60:00Z',
    '2026-11-03T10:00:60Z',
    '2026-11-03T10:00:00+24:00',
    '2026-11-03T10:00:00.Z',
    `2026-11-03T10:00:00.${'0'.repeat(31)}Z`,
    '2026-11-03T10:00.5Z',
    '2026-11-03T10Z',
    '2026-11-03T10:00',
    '20261103T100000Z',
    '2026-11-03T10:00:00+1',
    '2026-11-03T10:00:00+05:3',
    '2026-11-03T10:00:00+0560',
    '2026-02-30T10:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:30:00+01:00',
    '9999-12-31T23:30:00-01:00',
    ' 2026-11-03T10:00:00Z',
    '2026-11-03T10:00:00Z\n',
  ])('%j', (sent) => expect(readInstant(sent)).toBeNull());

  test.each([[null], [undefined], [1762164000000], [true], [{}], [['2026-11-03T10:00:00Z']]])('%j', (sent) =>
    expect(readInstant(sent)).toBeNull(),
  );
});

describe('why there is no instant is told apart', () => {
  test.each([
    '1970-01-01T23:59:59Z',
    '1969-12-31T23:59Z',
    '2999-12-31T00:00:00Z',
    '9999-12-31T23:30:00-01:00',
  ])('%s is one, outside the time of the books', (sent) =>
    expect(readTime(sent)).toEqual({
      why: `is outside the time of the books (1970-01-02 to 2999-12-30 UTC): ${sent}`,
    }),
  );
  test.each(['yesterday', '9999-02-30T10:00:00Z', '1969-12-31T23:60:00Z', '9999-12-31T10:00:00+24:00', null])(
    '%s is none',
    (sent) => expect(readTime(sent)).toEqual({ why: 'is not an instant' }),
  );
});

describe('a month is cut', () => {
  test.each([
    ['UTC', '2026-10-31T23:59:59.999Z', '2026-10'],
    ['UTC', '2026-11-01T00:00:00.000Z', '2026-11'],
    // In Madrid: +02:00 until the last Sunday of October at 01:00Z, +01:00 from then until the last Sunday of March.
    ['Europe/Madrid', '2026-09-30T21:59:59.999Z', '2026-09'],
    ['Europe/Madrid', '2026-09-30T22:00:00.000Z', '2026-10'],
    ['Europe/Madrid', '2026-10-25T00:59:59.999Z', '2026-10'],
    ['Europe/Madrid', '2026-10-31T22:59:59.999Z', '2026-10'],
    ['Europe/Madrid', '2026-10-31T23:00:00.000Z', '2026-11'],
    ['Europe/Madrid', '2026-02-28T23:00:00.000Z', '2026-03'],
    ['Europe/Madrid', '2026-03-31T21:59:59.999999Z', '2026-03'],
    ['Europe/Madrid', '2026-03-31T22:00:00.000000Z', '2026-04'],
    ['Europe/Madrid', '2026-12-31T22:59:59.999Z', '2026-12'],
    ['Europe/Madrid', '2026-12-31T23:00:00.000Z', '2027-01'],
    ['America/New_York', '2027-01-01T04:59:59.999Z', '2026-12'],
    ['Asia/Kolkata', '2026-12-31T18:30:00.000Z', '2027-01'],
  ])('in %s at %s: %s', (timezone, instant, month) => expect(monthOf(instant, timezone)).toBe(month));

  // In 2027 Madrid's clocks go forward on 28 March, so March ends in daylight saving time.
  test('at the local time of its last day', () => {
    expect(monthOf('2027-03-31T21:59:59.999Z', 'Europe/Madrid')).toBe('2027-03');
    expect(monthOf('2027-03-31T22:00:00.000Z', 'Europe/Madrid')).toBe('2027-04');
  });
});

describe('two instants are ordered', () => {
  test('to the microsecond, with any number of decimals', () => {
    expect(order('2026-11-03T10:00:00.123Z', '2026-11-03T10:00:00.123000Z')).toBe(0);
    expect(order('2026-11-03T10:00:00.123Z', '2026-11-03T10:00:00.123001Z')).toBe(-1);
    expect(order('2026-11-03T10:00:00.124Z', '2026-11-03T10:00:00.123999Z')).toBe(1);
  });

  test('and the earlier one is returned; null is no bound', () => {
    expect(earlier('2026-11-03T10:00:00.124Z', '2026-11-03T10:00:00.123999Z')).toBe(
      '2026-11-03T10:00:00.123999Z',
    );
    expect(earlier('2026-11-03T10:00:00.124Z', null)).toBe('2026-11-03T10:00:00.124Z');
  });

  test('milliseconds are rounded down', () => {
    expect(msOf('2026-11-03T10:00:00.123999Z')).toBe(msOf('2026-11-03T10:00:00.123Z'));
  });
});
