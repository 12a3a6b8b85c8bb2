// A read replica: an address that analysts read instead of the primary, if it has the same books and is not too far behind.
import { setTimeout as sleep } from 'node:timers/promises';
import { FailedError, UsageError } from '../base/errors.ts';
import { stopwatch } from '../base/time.ts';
import type { Config } from '../config/environment.ts';
import type { Session } from '../database/client.ts';
import type { Stopping } from '../database/connection.ts';
import { codeOf, inSession, isConnectionLost, placeOf } from '../database/database.ts';
import { PLACE } from '../database/schema.ts';

type Primary = { readonly place: string; readonly lsn: string };
const PRIMARY = `
  select place.place, case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end as lsn
  from (${PLACE}) as place`;

type Replica = {
  readonly place: string;
  readonly is_replica: boolean;
  readonly bytes_behind: string | null;
  readonly arrived_at: string | null;
  readonly seconds: string | null;
};
/** The commit of the last transaction that arrived, by the primary's clock, and the `seconds` since; null if none did since the replica began. */
const REPLICA = `
  select place.place, pg_is_in_recovery() as is_replica, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()) as bytes_behind,
    pg_last_xact_replay_timestamp() as arrived_at, floor(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())) as seconds
  from (${PLACE}) as place`;

/**
 * The seconds since the books can have changed after an instant, all by the primary's clock: since a run that was at work later wrote
 * its first row, at the earliest. Null if no run was: what is missing is not of the books.
 */
const DELAY = `
  select floor(extract(epoch from clock_timestamp() - greatest(coalesce($1::timestamptz, '-infinity'), min(started_at)))) as value
  from run.runs
  where coalesce(finished_at, case when run_number = (select max(run_number) from run.runs) then clock_timestamp() end)
    > coalesce($1::timestamptz, '-infinity')
  having count(*) > 0`;

/** The newest that a replica which has replayed no commit since it began has of the runs. */
const NEWEST = 'select max(coalesce(finished_at, started_at)) as value from run.runs';

const LAST_RUN = 'select coalesce(max(run_number), 0) as number from run.runs where finished_at is not null';

/** A healthy replica has what the primary wrote within this time. */
const WAIT_MS = 1_000;
const STEP_MS = 100;
/** An address after a page's header is ahead of the page's start with nothing between; every commit has more bytes. */
const HEADER_BYTES = 24;

const APPLICATION = 'tieout replica';
const ADVICE = 'raise TIEOUT_REPLICA_LAG, or leave out TIEOUT_REPLICA_URL to read the primary';

/**
 * Throws a UsageError if the address is not a replica of the configured database, a FailedError if it is further behind than
 * the limit: not in what the primary wrote, but in the time since runs wrote it, so that an idle primary does not count. Without
 * the primary, only the time since the last transaction arrived is known.
 */
export const refuseReplica = async (
  databaseUrl: Config['databaseUrl'],
  { url, lagSeconds }: NonNullable<Config['replica']>,
  stopping: Stopping = {},
): Promise<void> => {
  if (databaseUrl === null)
    throw new UsageError('TIEOUT_REPLICA_URL needs DATABASE_URL, the address of the primary: set both');
  const primary = await readPrimary(databaseUrl, stopping);
  const replica = await readReplica(url, primary, stopping);
  refuseOther(url, primary, replica);
  if (primary === null) return refuseSilent(url, replica, lagSeconds);
  if (isCurrent(replica)) return;
  const behind = await delayOf({ primary: databaseUrl, replica: url }, replica, stopping);
  if (behind === null || behind <= lagSeconds) return;
  const runs = await runsText(databaseUrl, url, stopping);
  throw new FailedError(
    `the replica at ${placeOf(url)} is ${timeText(behind)} behind${runs}: wait until it has caught up, ${ADVICE}`,
  );
};

const refuseSilent = (url: string, { seconds }: Replica, lagSeconds: number): void => {
  const silent = seconds === null ? null : Number.parseInt(seconds, 10);
  if (silent !== null && silent <= lagSeconds) return;
  const since = silent === null ? 'since it began' : `for ${timeText(silent)}`;
  throw new FailedError(
    `the primary cannot be reached, and the replica at ${placeOf(url)} has replayed nothing ${since}: ${ADVICE}`,
  );
};

const NO_TABLE = '42P01';

/** The one value that a statement about runs gives; null if it gives none, or there are no books. */
const runValue = (
  url: string,
  statement: string,
  values: readonly unknown[],
  stopping: Stopping,
): Promise<string | null> => {
  const reading = async (session: Session) =>
    (await session.query<{ value: string | null }>(statement, [...values])).rows[0]?.value ?? null;
  return inSession(url, APPLICATION, reading, stopping).catch((error: unknown) => {
    if (codeOf(error) !== NO_TABLE) throw error;
    return null;
  });
};

type Urls = { readonly primary: string; readonly replica: string };

/** By how many seconds the books of a replica are behind; null if they are not, or there are none. */
const delayOf = async (urls: Urls, { arrived_at }: Replica, stopping: Stopping): Promise<number | null> => {
  const known = arrived_at ?? (await runValue(urls.replica, NEWEST, [], stopping));
  const seconds = await runValue(urls.primary, DELAY, [known], stopping);
  return seconds === null ? null : Number.parseInt(seconds, 10);
};

const refuseOther = (url: string, primary: Primary | null, replica: Replica): void => {
  if (!replica.is_replica)
    throw new UsageError(
      `TIEOUT_REPLICA_URL leads to ${placeOf(url)}, which is not a replica: write the address of a replica, or leave it out`,
    );
  if (primary !== null && replica.place !== primary.place)
    throw new UsageError('TIEOUT_REPLICA_URL leads to a replica of other books than DATABASE_URL');
};

/** Null if nobody answers there: a replica is also for the time without its primary. A refusal is an answer. */
const readPrimary = (url: string, stopping: Stopping): Promise<Primary | null> =>
  inSession(
    url,
    APPLICATION,
    async (session) => (await session.query<Primary>(PRIMARY)).rows[0] ?? null,
    stopping,
  ).catch((error: Error) => {
    if (isConnectionLost(error.cause ?? error)) return null;
    throw error;
  });

const isCurrent = ({ bytes_behind }: Replica): boolean =>
  Number.parseInt(bytes_behind ?? '0', 10) <= HEADER_BYTES;

/** The replica once it has what the primary had written, at the latest after a second. */
const readReplica = (url: string, primary: Primary | null, { signal }: Stopping): Promise<Replica> => {
  const reading = async (session: Session): Promise<Replica> => {
    for (const waitedMs = stopwatch(); ; await sleep(STEP_MS, undefined, { signal })) {
      const { rows } = await session.query<Replica>(REPLICA, [primary?.lsn ?? null]);
      const replica = rows[0] as Replica;
      const isDecided = !replica.is_replica || replica.place !== primary?.place || isCurrent(replica);
      if (isDecided || waitedMs() >= WAIT_MS) return replica;
    }
  };
  return inSession(url, APPLICATION, reading, { signal }).catch((error: Error) => {
    if (!(error instanceof FailedError)) throw error;
    throw new FailedError(
      `TIEOUT_REPLICA_URL: ${error.message}; correct it, or leave it out to read the primary`,
      {
        cause: error,
      },
    );
  });
};

const timeText = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`;

const lastRunOf = (url: string, stopping: Stopping): Promise<string> =>
  inSession(url, APPLICATION, async (session) => (await session.query(LAST_RUN)).rows[0].number, stopping);

/** The last finished runs of both, if they differ; nothing for a database without books. */
const runsText = async (primaryUrl: string, replicaUrl: string, stopping: Stopping): Promise<string> => {
  const [primary, replica] = await Promise.all([
    lastRunOf(primaryUrl, stopping),
    lastRunOf(replicaUrl, stopping),
  ]).catch(() => ['', '']);
  return primary === replica ? '' : ` (its last finished run is ${replica}, the primary's is ${primary})`;
};
