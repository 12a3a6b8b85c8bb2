// The context of the rules: facts besides the record, read once for all records of an entity.
import type { Kysely } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { ListedPockets, RuleContext } from './outcome.ts';

/** Whose books they are, and the platform's own word for another of its users, where a setting names it. */
type ContextOf = { readonly entity: string; readonly platformClass?: string | null };

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
  if (!isListed) return { pockets: null, platformClass };
  const rows = await db
    .selectFrom('land.pockets')
    .select(['pocket_id', 'currency'])
    .orderBy('pocket_id')
    .where('entity_id', '=', entity)
    .execute();
  return {
    pockets: new Map(rows.map(({ pocket_id, currency }) => [pocket_id.toLowerCase(), currency])),
    platformClass,
  };
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
