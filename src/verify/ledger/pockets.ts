// When each pocket of an entity was first listed: the pockets that the rules knew when a record was booked.
import type { Kysely } from 'kysely';
import type { DB } from '../../database/db-types.ts';

export type ListedPocket = {
  readonly pocket_id: string;
  readonly currency: string;
  readonly first_listed_at: string;
};

export const listedPockets = (db: Kysely<DB>, entity: string): Promise<ListedPocket[]> =>
  db
    .selectFrom('land.pockets')
    .select(['pocket_id', 'currency', 'first_listed_at'])
    .where('entity_id', '=', entity)
    .orderBy('first_listed_at')
    .execute();
