// Restate: applies today's rules to records that older versions of a rule booked, for every entity, offline.
import { bookLanded, concludeRun, eachStoredEntity, pairAndValue, prove } from '../../jobs/book.ts';
import { restate } from '../normalize/normalize.ts';
import type { Restated } from '../normalize/restate.ts';
import { settingsOf, storePlatformClass } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';

type RestateOptions = {
  readonly only?: string | undefined;
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  readonly isDry: boolean;
};

export type RestatedOf = Restated & { readonly entity_id: string };

/** Books landed records, then restates. A dry run only reports what would change. */
export const restateBooks = async (
  work: Work,
  { only, ...ask }: RestateOptions,
): Promise<Result & { restated: readonly RestatedOf[] }> => {
  const restated: RestatedOf[] = [];
  const restateOne = async (entity: string) => {
    const books = { entity, ...settingsOf(work.config) };
    if (!ask.isDry) {
      await storePlatformClass(work.db, books, 'another');
      await bookLanded(work, entity);
    }
    const rows = await restate(work.db, books, ask);
    restated.push(...rows.map((row) => ({ entity_id: entity, ...row })));
    if (!ask.isDry) await prove(work, entity);
  };
  const outcome = await eachStoredEntity(work, only, restateOne);
  if (!ask.isDry) await pairAndValue(work);
  const result = await concludeRun(work, { ...outcome, requests: 0 });
  return { ...result, restated: restated.sort((a, b) => (a.entity_id < b.entity_id ? -1 : 1)) };
};
