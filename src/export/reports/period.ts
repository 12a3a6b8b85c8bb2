// Periods: a month, a quarter, a year or a range of days as a person writes it, cut in the timezone of the books.
import { UsageError } from '../../base/errors.ts';
import { DAY_MS, isoOf, YEARS } from '../../base/time.ts';

/** A half-open stretch of time, `[from, to)` as instants in UTC text. `name` is the period's canonical spelling. */
export type Period = { readonly name: string; readonly from: string; readonly to: string };

type CalendarDay = { readonly year: number; readonly month: number; readonly day: number };
type Days = { readonly name: string; readonly first: CalendarDay; readonly after: CalendarDay };

const HOW =
  'Write a month (2026-10), a quarter (2026-Q4), a year (2026) or its first and last day (2026-10-01..2026-10-31).';

/**
 * Reads `2026-10`, `2026-Q4`, `2026` or `2026-10-01..2026-10-31` (the last day is included). Its bounds are the first
 * instants of days in an IANA timezone, daylight saving included. Throws a UsageError if the text is not a period.
 */
export const parsePeriod = (text: string, timezone: string): Period => {
  const days = daysOf(text);
  const localDay = localDayIn(timezone);
  return {
    name: days.name,
    from: isoOf(startOf(days.first, localDay)),
    to: isoOf(startOf(days.after, localDay)),
  };
};

const daysOf = (text: string): Days => {
  const [, year, month, quarter] = /^(\d{4})(?:-(?:(\d{2})|[qQ](\d+)))?$/.exec(text) ?? [];
  if (year === undefined) return rangeOf(text);
  checkYear(text, Number(year));
  if (month !== undefined) {
    if (Number(month) < 1 || Number(month) > 12) throw wrong(text, `there is no month ${month}`);
    return months(text, Number(year), Number(month), 1);
  }
  if (quarter === undefined) return months(text, Number(year), 1, 12);
  if (!/^[1-4]$/.test(quarter)) throw wrong(text, `there is no quarter ${quarter}`);
  return months(text.toUpperCase(), Number(year), Number(quarter) * 3 - 2, 3);
};

/** From the first of some ordered months to the end of the last, as a person would write it; '' for none. */
export const spanOf = (inOrder: readonly string[]): string => {
  const [first = '', last = ''] = [inOrder[0], inOrder.at(-1)];
  if (first === last) return first;
  const [year = 0, month = 0] = last.split('-').map(Number);
  return `${first}-01..${last}-${daysIn(year, month)}`;
};

const months = (name: string, year: number, month: number, count: number): Days => {
  const after = month - 1 + count;
  return {
    name,
    first: { year, month, day: 1 },
    after: { year: year + Math.floor(after / 12), month: (after % 12) + 1, day: 1 },
  };
};

const rangeOf = (text: string): Days => {
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw wrong(text, 'it is none of the four forms');
  if (to < from) throw wrong(text, `${to} is before ${from}`);
  const last = dayOf(text, to);
  const isLast = last.day === daysIn(last.year, last.month);
  const after = isLast ? months('', last.year, last.month, 1).after : { ...last, day: last.day + 1 };
  const first = dayOf(text, from);
  const isMonth = isLast && first.day === 1 && from.slice(0, 7) === to.slice(0, 7);
  return { name: isMonth ? from.slice(0, 7) : text, first, after }; // a closed month stays that month in any spelling
};

const dayOf = (text: string, day: string): CalendarDay => {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  checkYear(text, year);
  if (month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > daysIn(year, month)) {
    throw wrong(text, `there is no day ${day}`);
  }
  return { year, month, day: dayOfMonth };
};

const daysIn = (year: number, month: number): number =>
  (Date.UTC(year, month, 1) - Date.UTC(year, month - 1, 1)) / DAY_MS;

const checkYear = (text: string, year: number): void => {
  if (year < YEARS.first || year > YEARS.last) {
    throw wrong(text, `its year is not one from ${YEARS.first} to ${YEARS.last}`);
  }
};

const wrong = (text: string, why: string): UsageError =>
  new UsageError(`the period "${text.slice(0, 60)}" cannot be read: ${why}. ${HOW}`);

/** The first instant, Unix ms, of a local day; correct too where midnight is skipped or occurs twice. */
const startOf = (day: CalendarDay, localDay: (ms: number) => number): number => {
  const wanted = dayNumber(day);
  const midnightUtc = Date.UTC(day.year, day.month - 1, day.day);
  let before = midnightUtc - DAY_MS;
  let after = midnightUtc + DAY_MS; // no timezone is a day or more away from UTC
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localDay(middle) >= wanted) after = middle;
    else before = middle;
  }
  return after;
};

const dayNumber = ({ year, month, day }: CalendarDay): number => (year * 100 + month) * 100 + day;

const localDayIn = (timezone: string): ((ms: number) => number) => {
  const format = formatIn(timezone);
  return (ms) => {
    const parts = format.formatToParts(ms);
    const part = (type: string) => Number(parts.find((p) => p.type === type)?.value);
    return dayNumber({ year: part('year'), month: part('month'), day: part('day') });
  };
};

const formatIn = (timeZone: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      calendar: 'gregory',
      numberingSystem: 'latn',
    });
  } catch {
    throw new UsageError(
      `the timezone "${timeZone.slice(0, 60)}" is unknown: write an IANA name, such as Europe/Madrid`,
    );
  }
};
