// Pairs what is booked without any comparison: transfers between our own accounts, before values are derived, which rest on the pairs;
// and the two records of one move, or an entry and its line on a statement, because reports show what has no other side.
import { HOUR_MS } from '../src/base/time.ts';
import { pairAcross, pairBooked } from '../src/reconcile/reconcile.ts';
import { bookedEntities, timedStep } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import { valueAll } from '../src/valuation/value-all.ts';

/**
 * The values rest on the pairs, which are final once every record is booked. An entry that is posted again, because its month was
 * reopened or its rule has changed, is not in the pair of the one before.
 */
export const pairTransfers = ({ db, run, config, tell }: Work): Promise<unknown> =>
  timedStep(tell, { event: 'compared across' }, () =>
    pairAcross(db, run, { transitMs: config.transitHours * HOUR_MS }),
  );

/** Pairs what is booked of some entities on their clearing accounts, and with the statements of their accounts elsewhere. */
export const pairEntries = ({ db, run, config }: Work, entities: readonly string[]): Promise<void> =>
  pairBooked(db, run, { entities, transitMs: config.transitHours * HOUR_MS });

/** Values the books by the pairs of today: for whatever booked entries, or moved them to another month, outside a night. */
export const pairAndValue = async (work: Work): Promise<void> => {
  await pairEntries(work, await bookedEntities(work));
  await pairTransfers(work);
  await valueAll(work);
};
