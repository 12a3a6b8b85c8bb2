// Clocks: the gateway's, this machine's and the database's. Proofs reach up to the earliest of them; a clock that differs
// from this machine's by minutes is a finding.
import { msOf, nowMs } from '../src/base/time.ts';
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

/** Reports each clock that differs from this machine's by minutes. */
export const reportClocks = async (work: Work, gateway: ReadGateway, databaseMs: number): Promise<void> => {
  await reportClock(work, 'gateway', gateway.clockOffsetMs());
  await reportClock(work, 'database', databaseMs);
};

const reportClock = async (work: Work, whose: string, offsetMs: number): Promise<void> => {
  if (Math.abs(offsetMs) <= OFFSET_MAX_MS) return;
  const detail =
    `the ${whose}'s clock is ${durationOf(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} this machine's; ` +
    'proofs reach only to the earliest clock: correct the wrong clock';
  await report(work.db, work.run, { entity: work.config.entity, subject: 'clock', detail });
};

const durationOf = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`;
};
