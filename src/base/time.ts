// Time: instants as ISO 8601 UTC text with at most microseconds, and months in a timezone. The only file that reads the
// clock, so that everything else can be replayed.
import assert from 'node:assert/strict';

/** Spans in milliseconds. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The machine's clock in Unix milliseconds. The gateway's clock is this plus an offset that its client tracks. */
export const nowMs = (): number => Date.now();

/** Starts to measure; what it returns gives the whole milliseconds since then, also if the clock was set meanwhile. */
export const stopwatch = (): (() => number) => {
  const begun = performance.now();
  return () => Math.round(performance.now() - begun);
};

/** A date-time of ISO 8601 with its offset; seconds, their fraction and the minutes of the offset may be left out. */
const ISO =
  /^(\d{4}-\d{2}-(\d{2}))[Tt](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,30}))?)?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)$/;

/** The years that a period may name, and so the range of the books; defined only here. */
export const YEARS = { first: 1970, last: 2999 } as const;

/** One day inside these years at both ends, so that an instant falls within them in every timezone. */
const FIRST_MS = Date.UTC(YEARS.first, 0, 2);
const END_MS = Date.UTC(YEARS.last, 11, 31);

const REACH = `${new Date(FIRST_MS).toISOString().slice(0, 10)} to ${new Date(END_MS - 1).toISOString().slice(0, 10)} UTC`;

/** Whether every part of the program can handle an instant, given in Unix milliseconds. */
export const isInReach = (ms: number): boolean => ms >= FIRST_MS && ms < END_MS;

/**
 * Reads an ISO 8601 date-time as the gateway writes it, or says what is wrong with it. The instant is UTC text with three decimals of a
 * second, or six if the gateway sent more than milliseconds. Anything finer than a microsecond is cut; the record still has it.
 */
export const readTime = (text: unknown): { instant: string } | { why: string } => {
  if (typeof text === 'string' && isPlain(text)) return { instant: text };
  const parts = typeof text === 'string' ? ISO.exec(text) : null;
  if (!parts) return NO_INSTANT;
  const [sent, date, day, minute, second = '00', decimals = '', hours = '+00', minutes = '00'] = parts;
  const fraction = decimals.padEnd(6, '0').slice(0, 6);
  const local = Date.parse(`${date}T${minute}:${second}Z`);
  const seconds = local + Date.parse(`1970-01-01T00:00:00${hours}:${minutes}`);
  if (Number.isNaN(seconds) || new Date(local).getUTCDate() !== Number(day)) return NO_INSTANT; // 31 February
  if (!isInReach(seconds)) return { why: `is outside the time of the books (${REACH}): ${sent}` };
  const whole = new Date(seconds).toISOString().slice(0, 19);
  return { instant: `${whole}.${fraction.endsWith('000') ? fraction.slice(0, 3) : fraction}Z` };
};

const NO_INSTANT = { why: 'is not an instant' };

/** The instant of a date-time as `readTime` reads it, or null if it is none or is outside the time of the books. */
export const readInstant = (text: unknown): string | null => {
  const read = readTime(text);
  return 'instant' in read ? read.instant : null;
};

const PLAIN_LENGTH = '2026-10-31T23:59:59.999Z'.length;

/** Whether text is already an instant in milliseconds, as most are. */
const isPlain = (text: string): boolean => {
  const ms = text.length === PLAIN_LENGTH ? Date.parse(text) : Number.NaN;
  return isInReach(ms) && new Date(ms).toISOString() === text;
};

/** Unix milliseconds as ISO text. */
export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Converts an instant to a JavaScript Date, for libraries that require one. */
export const dateOf = (instant: string): Date => new Date(instant);

/** Unix milliseconds of an instant, rounded down. */
export const msOf = (instant: string): number => Math.floor(Date.parse(instant));

/** The earlier of two instants in UTC text; null means no limit. */
export const earlier = (a: string, b: string | null): string => (b !== null && order(b, a) < 0 ? b : a);

/** The order of two instants that `readInstant` returned, to the microsecond. */
export const order = (a: string, b: string): number => {
  if (a.length === b.length) return a < b ? -1 : a > b ? 1 : 0;
  const [x, y] = [a.replace(/Z$/, '').padEnd(26, '0'), b.replace(/Z$/, '').padEnd(26, '0')];
  return x < y ? -1 : x > y ? 1 : 0;
};

/** In the middle of a month it is the same month in every timezone. Instants as `readInstant` returns them. */
const MIDDLE = /^(\d{4}-\d{2})-(?:0[2-9]|1\d|2[0-7])T[\d:.]+Z$/;

/** The month (`2026-10`) of an instant in an IANA timezone. */
export const monthOf = (instant: string, timezone: string): string => {
  const month = MIDDLE.exec(instant)?.[1] ?? localOf(instant, timezone)?.day.slice(0, 7);
  assert(month, `${instant} is no instant`);
  return month;
};

const QUARTER_MS = 900_000;
const offsets = new Map<string, number>();

/**
 * The local day `2026-10-31` and time `23:59:59` of an instant in an IANA timezone, without fractions of a second. Null
 * for values outside our instants, such as `infinity`. Results are cached per quarter of an hour, because no timezone
 * changes its offset within a quarter of an hour of UTC.
 */
export const localOf = (instant: string, timezone: string): { day: string; time: string } | null => {
  if (!ISO.test(instant)) return null;
  const ms = msOf(instant);
  const quarter = Math.floor(ms / QUARTER_MS);
  const key = `${timezone} ${quarter}`;
  const offset = offsets.get(key) ?? offsetMs(quarter * QUARTER_MS, timezone);
  offsets.set(key, offset);
  const local = isoOf(ms + offset);
  return { day: local.slice(0, 10), time: local.slice(11, 19) };
};

const offsetMs = (ms: number, timezone: string): number => {
  const parts = clockFormat(timezone).formatToParts(ms);
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? '';
  const clock = `${part('hour')}:${part('minute')}:${part('second')}`;
  return Date.parse(`${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${clock}Z`) - ms;
};

const clocks = new Map<string, Intl.DateTimeFormat>();
const clockFormat = (timezone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timezone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  clocks.set(timezone, made);
  return made;
};
