// Personal values, stored apart from what was received with them.
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { holdLanded } from '../privacy/privacy.ts';

/** A personal value, and the version of the record that had it at this path. */
type PersonRow = {
  readonly record_id: string;
  readonly version: number | string;
  readonly path: string;
  readonly value: string;
};

type PeopleStream = { readonly entity: string; readonly stream: string };

/** Stores people beside what landed with them, and adds its records to the holds that cover them. */
export const landPeople = async (
  tx: Transaction<DB>,
  to: PeopleStream,
  people: readonly PersonRow[],
): Promise<void> => {
  if (people.length === 0) return;
  await peopleInsert(to, people).execute(tx);
  await holdLanded(tx, to, people);
};

/** A record whose people were erased gets none again: another version would bring back what had to go. */
export const peopleInsert = (
  { entity, stream }: PeopleStream,
  people: readonly PersonRow[],
): RawBuilder<unknown> => sql`
  insert into land.people (entity_id, stream, record_id, version, path, value)
  select ${entity}, ${stream}, input.*
  from ${unnest(people, { record_id: 'text', version: 'int4', path: 'text', value: 'text' })}
  where not exists (
    select from land.erased_records e
    where (e.entity_id, e.stream, e.record_id) = (${entity}, ${stream}, input.record_id)
  )`;
