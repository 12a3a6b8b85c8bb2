// Moments as people write them: an instant, or a day, which means its start in the timezone of the books.
import { UsageError } from '../base/errors.ts';
import { readInstant } from '../base/time.ts';
import { parsePeriod } from '../export/export.ts';

/** The instant as UTC text; null if the text is neither. */
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

/** The instant of `--at`. Throws a UsageError if the text is neither. */
export const momentOption = (text: string, timezone: string): string => {
  const moment = momentIn(timezone)(text);
  if (moment === null)
    throw new UsageError(
      `--at is "${text.slice(0, 60)}": write a day (2026-10-31) or an instant (2026-10-31T23:59:59Z)`,
    );
  return moment;
};
