// Pairs transfers between our own accounts before values are derived, which rest on the pairs, and without any comparison.
import { HOUR_MS } from '../src/base/time.ts';
import { pairAcross } from '../src/reconcile/reconcile.ts';
import { timedStep } from '../src/run/run.ts';
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

/** Values the books by the pairs of today: for whatever booked entries, or moved them to another month, outside a night. */
export const pairAndValue = async (work: Work): Promise<void> => {
  await pairTransfers(work);
  await valueAll(work);
};
