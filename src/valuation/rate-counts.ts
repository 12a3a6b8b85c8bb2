// Rate counts: how many rates apply up to an instant. A rate after the last entry of a month decides none of its values, so
// that a night without entries derives nothing again although it lands rates.
import type { Kysely } from 'kysely';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { lastUpTo } from './last-up-to.ts';

/** The number of rates up to an instant in microseconds since 1970: the gateway's, and official ones. */
export type RateCounts = (micros: number) => { readonly rates: number; readonly official: number };

type RateTime = { is_official: boolean; micros: string; rates: number };

type Counted = { readonly micros: number; readonly until: number };

/** The rates of all currencies but one. */
export const rateCounts = async (db: Kysely<DB>, currency: string): Promise<RateCounts> => {
  const times = await readRows<RateTime>(db, loadSql('valuation/rate_times.sql', { currency }));
  const rates = summed(times.filter(({ is_official }) => !is_official));
  const official = summed(times.filter(({ is_official }) => is_official));
  return (micros) => ({ rates: countUntil(rates, micros), official: countUntil(official, micros) });
};

const summed = (times: readonly RateTime[]): Counted[] => {
  let until = 0;
  return times.map(({ micros, rates }) => {
    until += rates;
    return { micros: Number.parseInt(micros, 10), until };
  });
};

const countUntil = (times: readonly Counted[], micros: number): number => lastUpTo(times, micros)?.until ?? 0;
