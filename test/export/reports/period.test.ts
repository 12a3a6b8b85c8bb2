// Periods: what people write, and the instants for it in a timezone.
import { expect, test } from 'vitest';
import { monthOf } from '../../../src/base/time.ts';
import { parsePeriod, spanOf } from '../../../src/export/reports/period.ts';

test.each([
  // a month without a clock change, and both months of 31 days with an hour more or less
  ['2026-10', 'UTC', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ['2026-10', 'Europe/Madrid', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
  ['2026-03', 'Europe/Madrid', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
  ['2026-12', 'Europe/Madrid', '2026-11-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['2026-Q4', 'Europe/Madrid', '2026-09-30T22:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['2026-Q1', 'America/New_York', '2026-01-01T05:00:00.000Z', '2026-04-01T04:00:00.000Z'],
  ['2026', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z', '2026-12-31T18:15:00.000Z'],
  ['2024-02-28..2024-02-29', 'UTC', '2024-02-28T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['2026-12-31..2026-12-31', 'UTC', '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  // the day with 25 hours, and the one with 23
  ['2026-10-25..2026-10-25', 'Europe/Madrid', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['2026-03-29..2026-03-29', 'Europe/Madrid', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  // a midnight that does not exist, one that occurs twice, a day that was skipped
  ['2018-11-04..2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
  ['2026-11-01..2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['2011-12-29..2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
  ['2026-10', 'Pacific/Kiritimati', '2026-09-30T10:00:00.000Z', '2026-10-31T10:00:00.000Z'],
])('%s in %s', (text, timezone, from, to) => {
  expect(parsePeriod(text, timezone)).toEqual({ name: text, from, to });
});

test('a month begins where its first entries belong', () => {
  const { from, to } = parsePeriod('2026-10', 'Europe/Madrid');
  const before = (instant: string) =>
    instant.replace('00:00.000Z', '59:59.999Z').replace(/T(\d\d)/, (_, h) => `T${h - 1}`);
  expect([before(from), from, before(to), to].map((moment) => monthOf(moment, 'Europe/Madrid'))).toEqual([
    '2026-09',
    '2026-10',
    '2026-10',
    '2026-11',
  ]);
});

test('the range from the first to the last day of a month is that month, by name', () => {
  expect(parsePeriod('2026-10-01..2026-10-31', 'UTC')).toEqual(parsePeriod('2026-10', 'UTC'));
  expect(parsePeriod('2024-02-01..2024-02-29', 'UTC').name).toBe('2024-02');
  expect(parsePeriod('2025-10-01..2026-10-31', 'UTC').name).toBe('2025-10-01..2026-10-31');
});

test.each([
  ['2026-10..2026-11', '2026-10-01..2026-11-30'],
  ['2026-Q1..2026-q3', '2026-01-01..2026-09-30'],
  ['2025..2026', '2025-01-01..2026-12-31'],
  ['2026-02-15..2026-02', '2026-02-15..2026-02-28'],
  ['2026-10..2026-10', '2026-10'],
])('%s is the range of days %s', (text, name) => {
  expect(parsePeriod(text, 'Europe/Madrid')).toEqual(parsePeriod(name, 'Europe/Madrid'));
  expect(parsePeriod(text, 'UTC').name).toBe(name);
});

test('a lower-case q is accepted as Q', () => {
  expect(parsePeriod('2026-q4', 'UTC').name).toBe('2026-Q4');
});

const HOW =
  'Write a month (2026-10), a quarter (2026-Q4), a year (2026) or its first and last day or month (2026-10-01..2026-10-15, 2026-10..2026-11).';

test.each([
  ['2026-13', 'there is no month 13'],
  ['2026-00', 'there is no month 00'],
  ['2026-Q5', 'there is no quarter 5'],
  ['2026-Q0', 'there is no quarter 0'],
  ['1969', 'its year is not one from 1970 to 2999'],
  ['0000-10', 'its year is not one from 1970 to 2999'],
  ['2026-02-29..2026-03-01', 'there is no day 2026-02-29'],
  ['2026-02-01..2026-02-30', 'there is no day 2026-02-30'],
  ['2026-10-31..2026-10-01', '2026-10-01 is before 2026-10-31'],
  ['2026-10-01', 'it is none of the four forms'],
  ['october', 'it is none of the four forms'],
  ['', 'it is none of the four forms'],
  [' 2026-10', 'it is none of the four forms'],
  ['2026-10\n', 'it is none of the four forms'],
])('%j is refused', (text, why) => {
  expect(() => parsePeriod(text, 'UTC')).toThrow(
    expect.objectContaining({ exitCode: 64, message: `the period "${text}" cannot be read: ${why}. ${HOW}` }),
  );
});

test('an unknown timezone is refused', () => {
  expect(() => parsePeriod('2026-10', 'Europe/Atlantis')).toThrow(
    expect.objectContaining({
      exitCode: 64,
      message: expect.stringContaining('"Europe/Atlantis" is unknown'),
    }),
  );
});

test('several months span from the first to the end of the last', () => {
  expect(['', '2026-10', '2026-10-01..2026-11-30', '2023-12-01..2024-02-29']).toEqual([
    spanOf([]),
    spanOf(['2026-10']),
    spanOf(['2026-10', '2026-11']),
    spanOf(['2023-12', '2024-01', '2024-02']),
  ]);
  expect(parsePeriod(spanOf(['2026-10', '2026-11']), 'UTC').to).toBe('2026-12-01T00:00:00.000Z');
});
