// A read replica: an address that analysts read instead of the primary, if it has the same books and is not too far behind.
import { setTimeout as sleep } from 'node:timers/promises';
import { FailedError, UsageError } from '../base/errors.ts';
import { nowMs } from '../base/time.ts';
import type { Config } from '../config/environment.ts';
import type { Session, Stopping } from '../database/connection.ts';
import { inSession, isConnectionLost, placeOf } from '../database/database.ts';
import { PLACE } from '../database/schema.ts';

type Primary = { readonly place: string; readonly lsn: string };
const PRIMARY = `
  select place.place, case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end as lsn
  from (${PLACE}) as place`;

type Replica = {
  readonly place: string;
  readonly is_replica: boolean;
  readonly bytes_behind: string | null;
  readonly seconds: string | null;
};
/** `seconds` since the last transaction that arrived, null if none did since the replica began; bytes decide first. */
const REPLICA = `
  select place.place, pg_is_in_recovery() as is_replica, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()) as bytes_behind,
    floor(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())) as seconds
  from (${PLACE}) as place`;

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
 * the limit. Everything that the primary has written when this begins must arrive within the limit, so the delay is measured,
 * unless the last transaction that arrived is younger. Without the primary, only the time since that one is known.
 */
export const refuseReplica = async (
  databaseUrl: Config['databaseUrl'],
  { url, lagSeconds }: NonNullable<Config['replica']>,
  { signal }: Stopping = {},
): Promise<void> => {
  if (databaseUrl === null)
    throw new UsageError('TIEOUT_REPLICA_URL needs DATABASE_URL, the address of the primary: set both');
  const primary = await readPrimary(databaseUrl);
  const replica = await readReplica(url, primary, { lagSeconds, signal });
  refuseOther(url, primary, replica);
  if ((primary !== null && isCurrent(replica)) || isWithin(replica, lagSeconds)) return;
  if (primary === null)
    throw new FailedError(
      `the primary cannot be reached, and the replica at ${placeOf(url)} has received nothing ${sinceText(replica)}: ${ADVICE}`,
    );
  const runs = await runsText(databaseUrl, url);
  throw new FailedError(
    `the replica at ${placeOf(url)} is more than ${timeText(lagSeconds)} behind${runs}: wait until it has caught up, ${ADVICE}`,
  );
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
const readPrimary = (url: string): Promise<Primary | null> =>
  inSession(
    url,
    APPLICATION,
    async (session) => (await session.query<Primary>(PRIMARY)).rows[0] ?? null,
  ).catch((error: Error) => {
    if (isConnectionLost(error.cause ?? error)) return null;
    throw error;
  });

const isCurrent = ({ bytes_behind }: Replica): boolean =>
  Number.parseInt(bytes_behind ?? '0', 10) <= HEADER_BYTES;

/** Whether everything that is missing was written within the limit, because the last transaction that arrived was. */
const isWithin = ({ seconds }: Replica, lagSeconds: number): boolean =>
  seconds !== null && Number.parseInt(seconds, 10) <= lagSeconds;

type ReplicaWait = Stopping & { readonly lagSeconds: number };

/** The replica once it has what the primary had written, at the latest when the limit has passed. */
const readReplica = (
  url: string,
  primary: Primary | null,
  { lagSeconds, signal }: ReplicaWait,
): Promise<Replica> => {
  const waitMs = Math.max(WAIT_MS, lagSeconds * 1_000);
  const reading = async (session: Session): Promise<Replica> => {
    for (const startedMs = nowMs(); ; await sleep(STEP_MS, undefined, { signal })) {
      const { rows } = await session.query<Replica>(REPLICA, [primary?.lsn ?? null]);
      const replica = rows[0] as Replica;
      const waitedMs = nowMs() - startedMs;
      if (!replica.is_replica || replica.place !== primary?.place || isCurrent(replica)) return replica;
      if (waitedMs >= waitMs || (waitedMs >= WAIT_MS && isWithin(replica, lagSeconds))) return replica;
    }
  };
  return inSession(url, APPLICATION, reading, { signal });
};

const timeText = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`;

const sinceText = ({ seconds }: Replica): string =>
  seconds === null ? 'since it began' : `for ${timeText(Number.parseInt(seconds, 10))}`;

const lastRunOf = (url: string): Promise<string> =>
  inSession(url, APPLICATION, async (session) => (await session.query(LAST_RUN)).rows[0].number);

/** The last finished runs of both, if they differ; nothing for a database without books. */
const runsText = async (primaryUrl: string, replicaUrl: string): Promise<string> => {
  const [primary, replica] = await Promise.all([lastRunOf(primaryUrl), lastRunOf(replicaUrl)]).catch(() => [
    '',
    '',
  ]);
  return primary === replica ? '' : ` (its last finished run is ${replica}, the primary's is ${primary})`;
};
