// Settings that an entity's books were begun with, and may not be changed after.
import type { Kysely } from 'kysely';
import type { DB } from './db-types.ts';
import { UsageError } from './errors.ts';

/** The timezone and currency of now; `entity` narrows to one set of books. */
export type Settings = { readonly entity?: string; readonly timezone: string; readonly currency: string };

/**
 * Timezone and currency are fixed by an entity's first entry: months cut elsewhere, or told in another currency, would
 * contradict the files that finance has. Throws UsageError where they differ.
 */
export const refuseOtherSettings = async (
  db: Kysely<DB>,
  { entity, timezone, currency }: Settings,
): Promise<void> => {
  const all = db.selectFrom('run.entities').select(['entity_id', 'timezone', 'currency']);
  const kept = await (entity === undefined ? all : all.where('entity_id', '=', entity)).execute();
  const differing = (name: string, is: string, was: (row: (typeof kept)[number]) => string | null) => {
    const row = kept.find((one) => was(one) !== null && was(one) !== is);
    if (row)
      throw new UsageError(
        `${name} is ${is}, but the books of ${row.entity_id} were begun with ${was(row)}: set ${name}=${was(row)}`,
      );
  };
  differing('TIEOUT_TIMEZONE', timezone, (row) => row.timezone);
  differing('TIEOUT_CURRENCY', currency, (row) => row.currency);
};

/** Fixes what an entity's books are begun with, where nothing has done so before. */
export const keepSettings = async (
  db: Kysely<DB>,
  { entity, timezone, currency }: Settings & { readonly entity: string },
): Promise<void> => {
  await db
    .updateTable('run.entities')
    .set({ timezone, currency })
    .where('entity_id', '=', entity)
    .where('timezone', 'is', null)
    .execute();
};
