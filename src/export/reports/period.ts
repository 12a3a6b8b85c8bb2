// Periods: a month, a quarter, a year or a range of days as a person writes it, cut in the timezone of the books.
import { UsageError } from '../../base/errors.ts';
import { DAY_MS, isoOf, YEARS } from '../../base/time.ts';

/** A half-open stretch of time, `[from, to)` as instants in UTC text. `name` is the period's canonical spelling. */
export type Period = { readonly name: string; readonly from: string; readonly to: string };

type CalendarDay = { readonly year: number; readonly month: number; readonly day: number };
type Days = { readonly name: string; readonly first: CalendarDay; readonly after: CalendarDay };

const HOW =
  'Write a month (2026-10), a quarter (2026-Q4), a year (2026) or its first and last day or month (2026-10-01..2026-10-15, 2026-10..2026-11).';

/**
 * Reads `2026-10`, `2026-Q4`, `2026`, `2026-10-01..2026-10-31` or `2026-10..2026-11` (the last one is included). Its bounds are the first
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

const daysOf = (text: string): Days => monthsOf(text, text) ?? rangeOf(text);

/** A month, a quarter or a year in `text`; null if the part is none of them. */
const monthsOf = (text: string, part: string): Days | null => {
  const [, year, month, quarter] = /^(\d{4})(?:-(?:(\d{2})|[qQ](\d+)))?$/.exec(part) ?? [];
  if (year === undefined) return null;
  checkYear(text, Number(year));
  if (month !== undefined) {
    if (Number(month) < 1 || Number(month) > 12) throw wrong(text, `there is no month ${month}`);
    return months(part, Number(year), Number(month), 1);
  }
  if (quarter === undefined) return months(part, Number(year), 1, 12);
  if (!/^[1-4]$/.test(quarter)) throw wrong(text, `there is no quarter ${quarter}`);
  return months(part.toUpperCase(), Number(year), Number(quarter) * 3 - 2, 3);
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

/** From the first day of one to the last day of another: days, months, quarters or years. Its name is made of days, or is a month. */
const rangeOf = (text: string): Days => {
  const [, from, to] = /^([^.]+)\.\.([^.]+)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw wrong(text, NO_FORM);
  const { first } = endOfRange(text, from);
  const { after } = endOfRange(text, to);
  const [firstDay, lastDay] = [textOf(first), textOf({ ...after, day: after.day - 1 })];
  if (lastDay < firstDay) throw wrong(text, `${to} is before ${from}`);
  const isMonth = firstDay.slice(0, 7) === lastDay.slice(0, 7) && first.day === 1 && after.day === 1;
  return { name: isMonth ? firstDay.slice(0, 7) : `${firstDay}..${lastDay}`, first, after }; // a closed month stays that month in any spelling
};

const endOfRange = (text: string, part: string): Omit<Days, 'name'> => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(part)) return monthsOf(text, part) ?? noForm(text);
  const first = dayOf(text, part);
  const isLast = first.day === daysIn(first.year, first.month);
  return isLast
    ? { first, after: months('', first.year, first.month, 1).after }
    : { first, after: { ...first, day: first.day + 1 } };
};

const NO_FORM = 'it is none of the four forms';

const noForm = (text: string): never => {
  throw wrong(text, NO_FORM);
};

/** A calendar day as text; day 0 is the last one of the month before. */
const textOf = ({ year, month, day }: CalendarDay): string =>
  isoOf(Date.UTC(year, month - 1, day)).slice(0, 10);

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
