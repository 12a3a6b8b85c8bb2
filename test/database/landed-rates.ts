// Rates of the gateway as a night lands them, for tests of prices.
import type { TestDatabase } from '../database.ts';

/** Lands rates of a moment: units for one dollar. */
export const landRates = async (
  books: TestDatabase,
  instant: string,
  rates: Readonly<Record<string, string>>,
): Promise<void> => {
  await books.pool.query(
    `with night as (
      insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'test', $1::timestamptz) returning run_id
    ), asked as (
      insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
      select 'main', run_id, 'rates', 'GET', '/rates', 200, '', 1, $1::timestamptz from night returning request_id
    ), listed as (
      insert into land.rate_lists (entity_id, request_id, entry, source, at, payload, received, skipped)
      select 'main', request_id, 1, 'rates', $1::timestamptz, '{}', 2, 0 from asked returning request_id
    )
    insert into land.rates (entity_id, currency, at, request_id, entry, rate)
    select 'main', key, $1::timestamptz, request_id, 1, value::numeric from listed, json_each_text($2::json)`,
    [instant, JSON.stringify(rates)],
  );
};
