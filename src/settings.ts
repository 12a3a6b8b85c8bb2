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
  if (entity !== undefined && kept.every((row) => row.timezone === null))
    await refuseOtherProfile(db, { entity, timezone, currency });
};

/** Before the first entry a person may have said what it will be: the books are not begun with anything else. */
const refuseOtherProfile = async (
  db: Kysely<DB>,
  { entity, timezone, currency }: Settings & { readonly entity: string },
): Promise<void> => {
  const profile = await db
    .selectFrom('decide.profiles')
    .select(['timezone', 'currency', 'by_name'])
    .where('entity_id', '=', entity)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!profile) return;
  const asked = [
    ['TIEOUT_TIMEZONE', timezone, profile.timezone],
    ['TIEOUT_CURRENCY', currency, profile.currency],
  ] as const;
  for (const [name, is, said] of asked)
    if (said !== null && said !== is)
      throw new UsageError(
        `${name} is ${is}, but ${profile.by_name} said that the books of ${entity} are in ${said}: set ${name}=${said}, or say otherwise with tieout entities set`,
      );
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
