// The month in which the entry of a proposal counts.
import type { Kysely } from 'kysely';
import type { DB } from '../database/db-types.ts';
import { placeOf, placeOfReversal, sealsOf } from '../ledger/ledger.ts';
import type { Content } from './proposal.ts';

/** The place of an entry if it were approved now: one with a date in a closed month counts in the first open month. */
export const placeNow = async (
  db: Kysely<DB>,
  {
    entity,
    content,
    timezone,
  }: { readonly entity: string; readonly content: Content; readonly timezone: string },
) => {
  const seals = await sealsOf(db, entity);
  const own = placeOf(content.effective_at, { timezone, seals, request: null });
  const original = await entryPeriod(db, entity, content.reverses);
  return original === undefined ? own : placeOfReversal(own, original);
};

/** The period of the entry that a proposal reverses, if it reverses one. */
const entryPeriod = (db: Kysely<DB>, entity: string, entryId: string | undefined) =>
  entryId === undefined
    ? undefined
    : db
        .selectFrom('ledger.entries')
        .select('period')
        .where('entity_id', '=', entity)
        .where('entry_id', '=', entryId)
        .executeTakeFirst();
