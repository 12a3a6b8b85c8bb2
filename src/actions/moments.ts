// Moments as people write them: an instant, or a day, which means its start where the books cut months.

import { UsageError } from '../base/errors.ts';
import { readInstant } from '../base/time.ts';
import { parsePeriod } from '../export/export.ts';

/** The instant in UTC text, null where it is neither. */
export const momentIn =
  (timezone: string) =>
  (text: string): string | null => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return readInstant(text);
    try {
      return parsePeriod(`${text}..${text}`, timezone).from;
    } catch (error) {
      if (error instanceof UsageError) return null; // 31 February
      throw error;
    }
  };

/** The same of `--at`. Throws UsageError where it is neither. */
export const momentAsked = (text: string, timezone: string): string => {
  const moment = momentIn(timezone)(text);
  if (moment === null)
    throw new UsageError(
      `--at is "${text.slice(0, 60)}": write a day (2026-10-31) or an instant (2026-10-31T23:59:59Z)`,
    );
  return moment;
};
