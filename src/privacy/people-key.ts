// The key of an entity's personal fields: made once, kept beside them, gone with the books.
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';

/** The key under which an entity's personal fields are committed to; made once, kept beside them. */
export const peopleKey = async (db: Kysely<DB>, entity: string): Promise<Buffer> => {
  await sql`insert into land.people_keys (entity_id, key) values (${entity}, ${randomBytes(32)}) on conflict do nothing`.execute(
    db,
  );
  const row = await db
    .selectFrom('land.people_keys')
    .select('key')
    .where('entity_id', '=', entity)
    .executeTakeFirstOrThrow();
  return row.key;
};
