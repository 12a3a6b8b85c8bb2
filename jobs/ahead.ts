// Work ahead: while many orders are still being read, a few a second, the books of the only entity are complete. Its values are
// computed and its files drafted in that time, and the end of the night writes only what is not settled or changed since.
import type { NormalizeTally } from '../src/normalize/normalize.ts';
import { deriveAll } from '../src/valuation/value-all.ts';
import { exportMonths } from './export.ts';
import { readRates } from './rates.ts';
import { type Lists, readAssets } from './references.ts';
import type { Session } from './session.ts';

/** An ordinary night has fewer entries, and values and writes them once. */
const ENTRIES_MIN = 2_000;

/** The entity, and the lists of what its records name: values need its address book, and files all of them. */
type AheadOf = { readonly entity: string; readonly lists: Lists };

/**
 * Reads rates, values and drafts files, for what was booked. A failure is only a warning: the end of the night does the same
 * work, and fails if it fails again.
 */
export const workAhead =
  ({ work, gateway, options, priced }: Session) =>
  async ({ entity, lists }: AheadOf, { entries }: NormalizeTally): Promise<void> => {
    if (entries < (options.versionsMin ?? ENTRIES_MIN)) return;
    try {
      await readRates(work, gateway, { entity, priced });
      lists.begin();
      await lists.addresses;
      await deriveAll(work);
      await lists.landed;
      await readAssets(work, gateway, entity);
      if (options.writesFiles ?? true) await exportMonths(work, { isDraft: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      work.tell({ event: 'warning', message: `work ahead of the end of the night stopped: ${reason}` });
    }
  };
