// Fingerprints of counterparty types in closed months, to detect a change that would revalue one.
import { sql } from 'kysely';
import type { Books } from '../database/connection.ts';

/** By entity and closed month, the fingerprint of the counterparty types of its outside legs. */
export const closedCounterpartyTypes = async (db: Books): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ month: string; mark: string }>`
    select o.entity_id || ' ' || o.period as month, md5(string_agg(concat_ws(' ', o.entry_id, o.leg, o.counterparty_type), ',' order by o.entry_id, o.leg)) as mark
    from books.outside o
    join books_internal.closed_through c using (entity_id)
    where o.period <= c.through
    group by o.entity_id, o.period
    order by 1`.execute(db);
  return new Map(rows.map(({ month, mark }) => [month, mark]));
};
