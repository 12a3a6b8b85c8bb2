// The stretches of time that summaries add up: days, ISO weeks or months, cut at the ends of months and of the batch's period.
// A fiscal year begins with a month, so no stretch crosses it either.
import { DAY_MS, isoOf, localOf, msOf } from '../../base/time.ts';
import type { Period } from '../reports/period.ts';

export const SUMMARIES = ['day', 'week', 'month'] as const;

/** The stretch of time whose entries become one journal. */
export type Summary = (typeof SUMMARIES)[number];

/** First and last day, both included, `2026-10-31`. */
export type Days = { readonly first: string; readonly last: string };

/** The days of a period in the timezone of the books. */
export const daysOf = ({ from, to }: Period, timezone: string): Days => ({
  first: localOf(from, timezone)?.day ?? '',
  last: localOf(isoOf(msOf(to) - 1), timezone)?.day ?? '',
});

/** The day, week or month that a day belongs to, cut at the ends of its month and of the period. */
export const spanOf = (day: string, summary: Summary, period: Days): Days => {
  if (summary === 'day') return { first: day, last: day };
  const month = monthOf(day);
  const whole = summary === 'month' ? month : within(weekOf(day), month);
  return within(whole, period);
};

/** A stretch as people write it: `2026-10` for a month, `2026-10-05`, or `2026-10-05..11`. */
export const spanText = ({ first, last }: Days): string => {
  const month = monthOf(first);
  if (first === month.first && last === month.last) return first.slice(0, 7);
  return first === last ? first : `${first}..${last.slice(8)}`;
};

const within = (days: Days, bounds: Days): Days => ({
  first: days.first < bounds.first ? bounds.first : days.first,
  last: days.last > bounds.last ? bounds.last : days.last,
});

/** Monday to Sunday. 1 January 1970 was a Thursday. */
const weekOf = (day: string): Days => {
  const number = Math.floor(msOf(`${day}T00:00:00Z`) / DAY_MS);
  const monday = number - ((number + 3) % 7);
  return { first: dayText(monday), last: dayText(monday + 6) };
};

const monthOf = (day: string): Days => {
  const first = `${day.slice(0, 7)}-01`;
  const next = dayText(Math.floor(msOf(`${first}T00:00:00Z`) / DAY_MS) + 31).slice(0, 7);
  return { first, last: dayText(Math.floor(msOf(`${next}-01T00:00:00Z`) / DAY_MS) - 1) };
};

const dayText = (number: number): string => isoOf(number * DAY_MS).slice(0, 10);
