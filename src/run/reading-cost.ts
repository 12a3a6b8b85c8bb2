// What a run has read, from the pages that it landed: also of one that failed.
import { type Kysely, sql } from 'kysely';
import { SINGLE_ANSWER, STREAM_NAMES, STREAMS } from '../base/streams.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

/** The pages read, and the fewest possible: one per list, or as many as the new records fill. */
type Cost = { readonly pages: number; readonly fewest: number };

export const costOf = async (db: Kysely<DB>, runId: string): Promise<Cost> => {
  const limits = STREAM_NAMES.map((stream) => ({ stream, page_max: STREAMS[stream].pageMax }));
  const { rows } = await sql<Cost>`
    with page as (
      select p.entity_id, p.stream, p.scope, p.fresh, starts_with(q.target, ${SINGLE_ANSWER}) as is_single
      from land.pages p join land.requests q using (entity_id, request_id) where q.run_id = ${runId}::uuid
    ), list as (
      select count(*) as pages, count(*) filter (where is_single) + greatest(1, ceil(sum(fresh)::numeric / min(page_max))) as fewest
      from page join ${unnest(limits, { stream: 'text', page_max: 'integer' })} using (stream) group by entity_id, stream, scope
    )
    select coalesce(sum(pages), 0)::int as pages, coalesce(sum(fewest), 0)::int as fewest from list`.execute(
    db,
  );
  return rows[0] ?? { pages: 0, fewest: 0 };
};
