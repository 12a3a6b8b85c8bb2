// Personal values, stored apart from what was received with them.
import { type Kysely, sql } from 'kysely';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

/** A personal value, and the version of the record that had it at this path. */
type PersonRow = {
  readonly record_id: string;
  readonly version: number | string;
  readonly path: string;
  readonly value: string;
};

/** A record whose people were erased gets none again: another version would bring back what had to go. */
export const storePeople = async (
  tx: Kysely<DB>,
  { entity, stream }: { readonly entity: string; readonly stream: string },
  people: readonly PersonRow[],
): Promise<void> => {
  if (people.length === 0) return;
  await sql`
    insert into land.people (entity_id, stream, record_id, version, path, value)
    select ${entity}, ${stream}, input.*
    from ${unnest(people, { record_id: 'text', version: 'int4', path: 'text', value: 'text' })}
    where not exists (
      select from land.erased_records e
      where (e.entity_id, e.stream, e.record_id) = (${entity}, ${stream}, input.record_id)
    )`.execute(tx);
};
