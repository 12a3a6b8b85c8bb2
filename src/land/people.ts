// Personal values, stored apart from what was received with them.
import { type RawBuilder, sql } from 'kysely';
import { unnest } from '../database/database.ts';

/** A personal value, and the version of the record that had it at this path. */
type PersonRow = {
  readonly record_id: string;
  readonly version: number | string;
  readonly path: string;
  readonly value: string;
};

/** A record whose people were erased gets none again: another version would bring back what had to go. */
export const peopleInsert = (
  { entity, stream }: { readonly entity: string; readonly stream: string },
  people: readonly PersonRow[],
): RawBuilder<unknown> => sql`
  insert into land.people (entity_id, stream, record_id, version, path, value)
  select ${entity}, ${stream}, input.*
  from ${unnest(people, { record_id: 'text', version: 'int4', path: 'text', value: 'text' })}
  where not exists (
    select from land.erased_records e
    where (e.entity_id, e.stream, e.record_id) = (${entity}, ${stream}, input.record_id)
  )`;
