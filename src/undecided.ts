// Books that are not whole: landed records about which nothing is decided yet, as a rebuild leaves them that was cut off.
import type { Database } from './db.ts';
import { FailedError } from './errors.ts';

type Row = { readonly entity_id: string; readonly records: number };

/** Throws a FailedError where landed records of an entity, or of any, wait to be booked: no file of such books is true. */
export const refuseUndecided = async ({ pool }: Pick<Database, 'pool'>, entity?: string): Promise<void> => {
  const { rows } = await pool.query<Row>(
    'select entity_id, count(*)::int as records from land.inbox where $1::text is null or entity_id = $1 group by 1 order by 1',
    [entity ?? null],
  );
  if (rows.length === 0) return;
  const counts = rows.map(({ entity_id, records }) => `${records} of ${entity_id}`).join(', ');
  throw new FailedError(
    `landed records are not booked yet (${counts}): run npx tieout normalize, and then this again`,
  );
};
