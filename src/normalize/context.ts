// The context of the rules: facts besides the record, read once for all records of an entity.
import { type Kysely, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import type { DB } from '../database/db-types.ts';
import type { ListedPockets, PocketCurrency, RuleContext } from './outcome.ts';

/** Whose books they are, and the platform's own word for another of its users, where a setting names it. */
export type ContextOf = { readonly entity: string; readonly platformClass?: string | null };

/** A currency of a pocket with the requests whose lists had the pocket first, and last did not; books_internal.listed_pockets. */
type PocketRow = {
  readonly pocket_id: string;
  readonly currency: string;
  readonly listed_in: string | null;
  readonly absent_until: string;
  readonly named_after: string;
  readonly named_until: string | null;
};

/** The pockets ever listed for an entity, in the order in which they were. */
export const listedPockets = async (db: Kysely<DB>, entity: string): Promise<PocketRow[]> => {
  const { rows } = await sql<PocketRow>`
    select pocket_id, currency, listed_in, absent_until, named_after, named_until from books_internal.listed_pockets
    where entity_id = ${entity} order by first_listed_at, pocket_id, named_after`.execute(db);
  return rows;
};

/** Pockets for the rules, by their ids in lower case. */
export const pocketsById = (rows: readonly PocketRow[]): ReadonlyMap<string, readonly PocketCurrency[]> =>
  new Map(
    [...groupBy(rows, ({ pocket_id }) => pocket_id.toLowerCase())].map(([id, currencies]) => [
      id,
      currencies.map(({ currency, named_after, named_until }) => ({
        currency,
        after: BigInt(named_after),
        until: named_until === null ? null : BigInt(named_until),
      })),
    ]),
  );

/** The pockets ever listed for an entity; null if the list was never read. */
export const contextOf = async (
  db: Kysely<DB>,
  { entity, platformClass = null }: ContextOf,
): Promise<RuleContext> => {
  const isListed = await db
    .selectFrom('land.snapshots')
    .select('request_id')
    .where('entity_id', '=', entity)
    .where('product', '=', 'pocket')
    .executeTakeFirst();
  return { pockets: isListed ? pocketsById(await listedPockets(db, entity)) : null, platformClass };
};

/** A rule asks for something that the next reading of the pockets may change. */
export class Undecided extends Error {}

/** The context while lists are read: pockets may still be listed, and what depends on them is undecided. */
export const contextWhileReading = ({ pockets, ...rest }: RuleContext): RuleContext => ({
  ...rest,
  pockets: growing(pockets),
});

const growing = (pockets: ListedPockets | null): ListedPockets => ({
  has: (id) => {
    if (pockets?.has(id)) return true;
    throw new Undecided(`pocket ${id} may still be listed`);
  },
  [Symbol.iterator]: () => {
    throw new Undecided('further pockets may still be listed');
  },
});
