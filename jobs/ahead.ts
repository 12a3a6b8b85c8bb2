// Work ahead: while many orders are still being read, a few a second, the books of the only entity are complete. Its values are
// computed and its files drafted in that time, and the end of the night writes only what is not settled or changed since.
import { together } from '../src/base/together.ts';
import type { DraftOf } from '../src/export/export.ts';
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
 * Reads rates, values and drafts files, for what was booked. Files without values are drafted beside the valuing. A failure is
 * only a warning: the end of the night does the same work, and fails if it fails again.
 */
export const workAhead =
  (session: Session) =>
  async (ahead: AheadOf, { entries }: NormalizeTally): Promise<void> => {
    const { work, gateway, options } = session;
    if (entries < (options.versionsMin ?? ENTRIES_MIN)) return;
    const draft = async (draftOf: DraftOf) => {
      if (options.writesFiles ?? true) await exportMonths(work, { draftOf });
    };
    try {
      await together([valueBooked(session, ahead), draft('entries')]);
      await ahead.lists.landed;
      await readAssets(work, gateway, ahead.entity);
      await draft('values');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      work.tell({ event: 'warning', message: `work ahead of the end of the night stopped: ${reason}` });
    }
  };

const valueBooked = async ({ work, gateway, priced }: Session, { entity, lists }: AheadOf): Promise<void> => {
  await readRates(work, gateway, { entity, priced });
  lists.begin();
  await lists.addresses;
  await deriveAll(work);
};
