// The last clean nights of the entities that somebody still waits for, with their ages by one clock.
import { msOf } from '../base/time.ts';
import type { Books } from '../database/connection.ts';
import { loadSql, readRows } from '../database/database.ts';
import { cleanNights } from '../run/run.ts';
import type { LateNight } from '../run/verdicts.ts';

type ListedEntity = { readonly entity_id: string; readonly read_at: string };

/**
 * When the last clean night of each entity began, and how long ago by the database's clock; null: it never had one. Without
 * subaccounts that the gateway no longer lists.
 */
export const listedCleanNights = async (db: Books): Promise<LateNight[]> => {
  const nights = new Map((await cleanNights(db)).map((night) => [night.entity_id, night.clean_at]));
  const listed = await readRows<ListedEntity>(db, loadSql('status/listed_entities.sql'));
  return listed.map(({ entity_id, read_at: readAt }) => {
    const began = nights.get(entity_id) ?? null;
    const age = began === null ? null : Math.round((msOf(readAt) - msOf(began)) / 1_000);
    return { entity_id, began_at: began, age_seconds: age };
  });
};
