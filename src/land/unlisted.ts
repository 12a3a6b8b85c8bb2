// Records that a reading of their interval did not show.
import { type Kysely, sql } from 'kysely';
import { firstOf } from '../base/counted.ts';
import type { DB } from '../database/db-types.ts';
import type { Trouble } from '../extract/step.ts';

type Interval = {
  readonly entity: string;
  readonly stream: string;
  readonly from: string;
  readonly until: string;
};

const SHOWN_MAX = 5;

/**
 * A finding for the records that were landed in an interval and not shown when it was proved. One whose time has changed since is
 * listed at its latest time, which may lie in another interval.
 */
export const unlistedRecords = async (
  tx: Kysely<DB>,
  { entity, stream, from, until }: Interval,
  unseen: readonly string[],
): Promise<Trouble[]> => {
  if (unseen.length === 0) return [];
  const { rows } = await sql<{ record_id: string }>`
    select latest.record_id
    from unnest(${unseen}::text[]) with ordinality as unseen (record_id, nth)
    cross join lateral (
      select r.record_id, r.record_at from land.records r
      where (r.entity_id, r.stream, r.record_id) = (${entity}, ${stream}, unseen.record_id)
      order by r.version desc limit 1
    ) as latest
    where latest.record_at >= ${from}::timestamptz and latest.record_at < ${until}::timestamptz
    order by unseen.nth`.execute(tx);
  if (rows.length === 0) return [];
  const names = firstOf(
    rows.map(({ record_id }) => record_id),
    SHOWN_MAX,
  );
  return [{ subject: 'disappeared', detail: `no longer listed, still in the books: ${names}` }];
};
