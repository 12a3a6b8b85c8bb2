// Clocks: the gateway's, this machine's and the database's. Proofs reach up to the earliest of them; a clock that differs
// from this machine's by minutes is a finding, and so are months that the program and the database would cut at two instants.
import { hostname } from 'node:os';
import { sql } from 'kysely';
import { isoOf, monthOf, msOf, nowMs } from '../src/base/time.ts';
import type { Books } from '../src/database/connection.ts';
import type { ReadGateway } from '../src/gateway/client.ts';
import { databaseTime, report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/** More than slow responses and clock drift explain. */
const OFFSET_MAX_MS = 5 * 60_000;

/** The most by which the database's clock can be ahead of this machine's, in milliseconds; negative if it is behind. */
export const databaseOffsetMs = async (db: Books): Promise<number> => {
  const instant = await databaseTime(db);
  return msOf(instant) - nowMs();
};

/** Reports each clock that differs from this machine's by minutes, and months that begin at two instants. */
export const reportClocks = async (work: Work, gateway: ReadGateway, databaseMs: number): Promise<void> => {
  await reportClock(work, 'gateway', gateway.clockOffsetMs());
  await reportClock(work, 'database', databaseMs);
  await reportMonths(work);
};

/** The host is named, because several may work on one night: one finding each says which clock to correct. */
const reportClock = async (work: Work, whose: string, offsetMs: number): Promise<void> => {
  if (Math.abs(offsetMs) <= OFFSET_MAX_MS) return;
  const detail =
    `the ${whose}'s clock is ${durationOf(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} that of the host ${hostname()}; ` +
    'proofs reach only to the earliest clock: correct the wrong clock';
  await report(work.db, work.run, { entity: work.config.entity, subject: 'clock', detail });
};

/**
 * Node and PostgreSQL each have their own timezone data. A country may change its clocks between two versions of them; then the
 * figures of SQL would be cut at another instant than entries and reports.
 */
const reportMonths = async ({ db, run, config }: Work): Promise<void> => {
  const { entity, timezone } = config;
  const { rows } = await sql<{ month: string; begins_at: string }>`
    select to_char(month, 'YYYY-MM') as month, books_internal.local_start(month, ${timezone}) as begins_at
    from generate_series(date_trunc('month', localtimestamp) - interval '2 years', localtimestamp + interval '2 months', interval '1 month') as month
    order by month`.execute(db);
  const begins = (month: string, ms: number) =>
    monthOf(isoOf(ms), timezone) === month && monthOf(isoOf(ms - 1), timezone) < month;
  const other = rows.find((row) => !begins(row.month, msOf(row.begins_at)));
  if (other === undefined) return;
  const detail =
    `${other.month} begins in ${timezone} at ${isoOf(msOf(other.begins_at))} by the timezone data of PostgreSQL, ` +
    `and at another instant by those of Node (${process.versions.tz}): ` +
    'months would be cut at both: update the older of the two, and rebuild if the month has begun';
  await report(db, run, { entity, subject: 'timezone', detail });
};

export const durationOf = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`;
};
