// The request budget across processes: the next run also counts the requests of the last minute.
import { sql } from 'kysely';
import { isoOf, nowMs } from '../src/base/time.ts';
import type { Books } from '../src/database/connection.ts';

const BEHIND_MS = 61_000;

/** When the requests of the last 61 seconds were sent, Unix milliseconds. */
export const recentSends = async (db: Books): Promise<number[]> => {
  const { rows } = await sql<{ ms: string }>`
    select (extract(epoch from sent_at) * 1000)::bigint as ms from land.requests
    where run_id in (select run_id from run.runs order by run_number desc limit 20)
      and sent_at > ${isoOf(nowMs() - BEHIND_MS)}::timestamptz`.execute(db);
  return rows.map((row) => Number.parseInt(row.ms, 10));
};
