// Durations on the command line: 90s, 30m, 26h, 2d.
import { UsageError } from '../base/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/time.ts';

const UNITS = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;
const FORM = /^(\d{1,9})([smhd])$/;
const DAYS_MAX = 9_999;

/** The milliseconds of a duration. Throws UsageError for any other text, or one that is longer than any use of it. */
export const durationMs = (option: string, text: string): number => {
  const [, digits = '', unit = ''] = FORM.exec(text) ?? [];
  const size = UNITS[unit as keyof typeof UNITS];
  if (size === undefined)
    throw new UsageError(`--${option} ${text}: write a number and a unit, such as 90s, 30m, 26h or 2d`);
  const duration = Number.parseInt(digits, 10) * size;
  if (duration > DAYS_MAX * DAY_MS) throw new UsageError(`--${option} ${text}: write ${DAYS_MAX}d or less`);
  return duration;
};
