// Legal holds: records that must not be erased for now. A hold names a text, as an erasure does, and stores only a
// commitment to it, so it also covers records that land later. A release ends it and is a row of its own. The records
// that a hold covers are stored with it: verify ledger names one that was erased all the same.
import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { groupBy } from '../base/group.ts';
import type { Books } from '../database/connection.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Person } from './people.ts';
import { peopleKey } from './people-key.ts';
import { fieldsOf, peopleRecords } from './records.ts';
import { commitmentOf, formOf, formsOf } from './search-text.ts';

type Attribution = { readonly by: string; readonly reason: string; readonly at: string };

/** One hold in one set of books; `records` is the number of records that it covers today. */
export type HoldResult = {
  readonly entity: string;
  readonly holdId: string;
  readonly isNew: boolean;
  readonly records: number;
};

/** Places a hold on every record with a personal field equal to `text`. A second hold on the same text returns the first. */
export const placeHold = async (
  tx: Transaction<DB>,
  ask: Attribution & { readonly text: string; readonly entities: readonly string[] },
): Promise<HoldResult[]> => {
  const holdId = randomBytes(6).toString('hex');
  const holds: HoldResult[] = [];
  for (const entity of ask.entities) holds.push(await holdIn(tx, { ...ask, entity, holdId }));
  return holds;
};

type Hold = Attribution & { readonly text: string; readonly entity: string; readonly holdId: string };

const holdIn = async (
  tx: Transaction<DB>,
  { entity, text, holdId, ...signed }: Hold,
): Promise<HoldResult> => {
  const form = formOf(text);
  const commitment = commitmentOf(await peopleKey(tx, entity), form);
  const known = await standing(tx, entity)
    .select('h.hold_id')
    .where('h.commitment', '=', commitment)
    .executeTakeFirst();
  if (!known) {
    const { by, reason, at: heldAt } = signed;
    await tx
      .insertInto('land.holds')
      .values({ entity_id: entity, hold_id: holdId, at: heldAt, by_name: by, reason, commitment })
      .execute();
  }
  const hold = { entity, holdId: known?.hold_id ?? holdId };
  let records = 0;
  for await (const batch of peopleRecords(tx, entity, { years: 0, at: signed.at })) {
    const covered = batch.filter((record) => formsOf(fieldsOf(record)).has(form));
    await storeHeld(
      tx,
      entity,
      covered.map(({ stream, record_id }) => ({ hold_id: hold.holdId, stream, record_id })),
    );
    records += covered.length;
  }
  return { ...hold, isNew: !known, records };
};

type HeldRecord = { readonly hold_id: string; readonly stream: string; readonly record_id: string };

/** A record that was erased before keeps no fields that a hold could cover. */
const storeHeld = async (
  tx: Transaction<DB>,
  entity: string,
  records: readonly HeldRecord[],
): Promise<void> => {
  if (records.length === 0) return;
  await sql`
    insert into land.held_records (entity_id, hold_id, stream, record_id)
    select ${entity}, input.* from ${unnest(records, { hold_id: 'text', stream: 'text', record_id: 'text' })}
    where not exists (
      select from land.erased_records e
      where (e.entity_id, e.stream, e.record_id) = (${entity}, input.stream, input.record_id)
    )
    on conflict do nothing`.execute(tx);
};

type LandedField = Person & { readonly record_id: string };

/** Adds what has just landed to the holds that cover it. */
export const holdLanded = async (
  tx: Transaction<DB>,
  { entity, stream }: { readonly entity: string; readonly stream: string },
  fields: readonly LandedField[],
): Promise<void> => {
  if (fields.length === 0) return;
  const holds = await standing(tx, entity).select(['h.hold_id', 'h.commitment']).execute();
  if (holds.length === 0) return;
  const key = await peopleKey(tx, entity);
  const records = [...groupBy(fields, ({ record_id }) => record_id)].flatMap(([record_id, own]) => {
    const marks = new Set([...formsOf(own)].map((form) => commitmentOf(key, form).toString('hex')));
    const covering = holds.filter(({ commitment }) => marks.has(commitment.toString('hex')));
    return covering.map(({ hold_id }) => ({ hold_id, stream, record_id }));
  });
  await storeHeld(tx, entity, records);
};

/** The holds of an entity that have not been released. */
const standing = (db: Kysely<DB>, entity: string) =>
  db
    .selectFrom('land.holds as h')
    .leftJoin('land.hold_releases as r', (join) =>
      join.onRef('r.entity_id', '=', 'h.entity_id').onRef('r.hold_id', '=', 'h.hold_id'),
    )
    .where('h.entity_id', '=', entity)
    .where('r.hold_id', 'is', null);

/** The commitments on hold, in hex. */
export const holdsOf = async (db: Kysely<DB>, entity: string): Promise<ReadonlySet<string>> => {
  const rows = await standing(db, entity).select('h.commitment').execute();
  return new Set(rows.map(({ commitment }) => commitment.toString('hex')));
};

/**
 * Releases a hold in all sets of books that have it, or in the given ones. Returns those; empty if no such hold is in
 * force.
 */
export const releaseHold = async (
  db: Kysely<DB>,
  {
    holdId,
    entities,
    by,
    reason,
    at: heldAt,
  }: Attribution & { readonly holdId: string; readonly entities: readonly string[] },
): Promise<string[]> => {
  const { rows } = await sql<{ entity_id: string }>`
    insert into land.hold_releases (entity_id, hold_id, at, by_name, reason)
    select entity_id, hold_id, ${heldAt}::timestamptz, ${by}, ${reason} from land.holds
    where hold_id = ${holdId} and entity_id = any(${entities}::text[])
    order by entity_id
    on conflict do nothing
    returning entity_id`.execute(db);
  return rows.map(({ entity_id }) => entity_id);
};

/** Every hold with its release, if any, oldest first. */
export const listHolds = (db: Books, entities: readonly string[]) =>
  db
    .selectFrom('books.holds')
    .selectAll()
    .where('entity_id', '=', sql<string>`any(${entities}::text[])`)
    .orderBy('placed_at')
    .orderBy('entity_id')
    .execute();
