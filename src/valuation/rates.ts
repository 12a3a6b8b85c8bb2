// The rates of an interval, each with the reporting currency's rate from the same record.
import type { Kysely } from 'kysely';
import { isoOf } from '../base/time.ts';
import { loadSql, readRows } from '../database/database.ts';
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
  of_currency: string;
  of_reporting: string;
};

/** Every rate that may apply between two instants, starting a day before the first. */
export const ratesBetween = async (
  tx: Kysely<DB>,
  { reporting, currencies, from, to }: RateQuery,
): Promise<Rate[]> => {
  const since = isoOf(Math.floor(from / 1_000) - AGE_MAX_SECONDS * 1_000);
  const until = isoOf(Math.ceil(to / 1_000));
  const rows = await readRows<RateRow>(
    tx,
    loadSql('valuation/rates.sql', { reporting, currencies, since, until }),
  );
  return rows.map((row) => ({
    currency: row.currency,
    micros: Number.parseInt(row.micros, 10),
    source: row.source,
    base: row.base,
    ofCurrency: row.of_currency,
    ofReporting: row.of_reporting,
  }));
};
