// One pass of booking, by the settings of the run.
import { type NormalizeTally, normalize } from '../src/normalize/normalize.ts';
import { settingsOf } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/** One pass over an entity's landed records: all of them, or while its lists are read those that can be decided. */
export const bookPass = (
  work: Work,
  entity: string,
  pass: { readonly before: NormalizeTally; readonly isReading?: boolean },
): Promise<NormalizeTally> => {
  const onBatch = (tally: NormalizeTally) => work.tell({ event: 'booking', entity, ...tally });
  return normalize(work.db, { entity, ...settingsOf(work.config) }, { ...pass, onBatch });
};
