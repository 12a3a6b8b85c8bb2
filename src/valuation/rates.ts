// The rates of an interval, each with the reporting currency's rate from the same record.
import { type Kysely, sql } from 'kysely';
import { isoOf } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import { AGE_MAX_SECONDS, type Rate } from './prices.ts';

type RateQuery = {
  readonly reporting: string;
  readonly currencies: readonly string[];
  /** Microseconds since 1970, both inclusive. */
  readonly from: number;
  readonly to: number;
};

type RateRow = {
  currency: string;
  micros: string;
  source: string;
  base: string;
  of_it: string;
  of_reporting: string;
};

/** Every rate that may apply between two instants, starting a day before the first. */
export const ratesBetween = async (
  tx: Kysely<DB>,
  { reporting, currencies, from, to }: RateQuery,
): Promise<Rate[]> => {
  const since = isoOf(Math.floor(from / 1_000) - AGE_MAX_SECONDS * 1_000);
  const until = isoOf(Math.ceil(to / 1_000));
  const { rows } = await sql<RateRow>`
    with told as (
      select r.currency, r.at, r.rate, r.entity_id, r.request_id, r.entry from land.rates r
      where r.currency = any(${[...currencies, reporting]}::text[]) and r.at between ${since}::timestamptz and ${until}::timestamptz
    ), dollar as ( -- the dollar itself, and the reporting currency where it is the dollar
      select currency, at, rate, entity_id, request_id, entry from told where currency <> 'USD'
      union all
      select 'USD', at, 1, entity_id, request_id, entry from told where currency <> 'USD'
    ), gateway as (
      select distinct it.currency, it.at, concat_ws(' ', l.source, nullif(l.subject, ''), to_char(it.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as name,
        'USD' as base, it.rate as of_it, reporting.rate as of_reporting, it.request_id
      from dollar it
      join dollar reporting using (entity_id, request_id, entry, at)
      join land.rate_lists l using (entity_id, request_id, entry)
      where it.currency = any(${currencies}::text[]) and reporting.currency = ${reporting}
    ), day as (
      select distinct on (o.currency, o.day) o.currency, o.day, o.rate from land.official_rates o
      where o.currency = any(${[...currencies, reporting]}::text[])
        and o.day between (${since}::timestamptz)::date - 1 and (${until}::timestamptz)::date
      order by o.currency, o.day, o.file_id desc
    ), euro as (
      select currency, day, rate from day
      union all
      select 'EUR', day, 1 from day group by day
    ), official as (
      select it.currency, (it.day + time '16:00') at time zone 'Europe/Berlin' as at, 'ecb ' || it.day as name, 'EUR' as base,
        it.rate as of_it, reporting.rate as of_reporting, 0 as request_id
      from euro it join euro reporting using (day)
      where it.currency = any(${currencies}::text[]) and reporting.currency = ${reporting}
    )
    select currency, (extract(epoch from at) * 1000000)::bigint as micros, name as source, base, of_it::text, of_reporting::text
    from (
      select currency, at, name, base, of_it, of_reporting, request_id from gateway
      union all
      select currency, at, name, base, of_it, of_reporting, request_id from official
    ) as rate
    order by at, name, request_id`.execute(tx);
  return rows.map((row) => ({
    currency: row.currency,
    micros: Number.parseInt(row.micros, 10),
    source: row.source,
    base: row.base,
    ofIt: row.of_it,
    ofReporting: row.of_reporting,
  }));
};
