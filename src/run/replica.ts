// A read replica: an address that analysts read instead of the primary, if it has the same books and is not too far behind.
import { setTimeout as sleep } from 'node:timers/promises';
import { FailedError, UsageError } from '../base/errors.ts';
import type { Config } from '../config/environment.ts';
import { inSession, placeOf } from '../database/database.ts';
import { PLACE } from '../database/schema.ts';

const LAST_RUN = 'coalesce((select max(run_number) from run.runs where finished_at is not null), 0)';

type Primary = { readonly place: string; readonly lsn: string; readonly last_run: string };
const PRIMARY = `
  select place.place, ${LAST_RUN} as last_run,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end as lsn
  from (${PLACE}) as place`;

type Replica = {
  readonly place: string;
  readonly is_replica: boolean;
  readonly last_run: string;
  readonly bytes_behind: string | null;
  readonly seconds: string | null;
};
/** `seconds` since the last transaction that arrived; a primary without work leaves it growing, so bytes decide first. */
const REPLICA = `
  select place.place, pg_is_in_recovery() as is_replica, ${LAST_RUN} as last_run,
    pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()) as bytes_behind,
    floor(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())) as seconds
  from (${PLACE}) as place`;

/** A healthy replica has what the primary wrote within this time. */
const WAIT_MS = 1_000;
const STEP_MS = 100;

/**
 * Throws a UsageError if the address is not a replica of the configured database, a FailedError if it is further behind than
 * the limit. Without the primary, only the time since the last transaction is known.
 */
export const refuseReplica = async (
  databaseUrl: Config['databaseUrl'],
  { url, lagSeconds }: NonNullable<Config['replica']>,
): Promise<void> => {
  if (databaseUrl === null)
    throw new UsageError('TIEOUT_REPLICA_URL needs DATABASE_URL, the address of the primary: set both');
  const primary = await readPrimary(databaseUrl);
  const replica = await readReplica(url, primary);
  if (!replica.is_replica)
    throw new UsageError(
      `TIEOUT_REPLICA_URL leads to ${placeOf(url)}, which is not a replica: write the address of a replica, or leave it out`,
    );
  if (primary !== null && replica.place !== primary.place)
    throw new UsageError('TIEOUT_REPLICA_URL leads to a replica of other books than DATABASE_URL');
  const isCurrent = primary !== null && bytesOf(replica) <= 0;
  const seconds = Number.parseInt(replica.seconds ?? '0', 10);
  if (isCurrent || seconds <= lagSeconds) return;
  const advice = 'raise TIEOUT_REPLICA_LAG, or leave out TIEOUT_REPLICA_URL to read the primary';
  if (primary === null)
    throw new FailedError(
      `the primary cannot be reached, and the replica at ${placeOf(url)} has received nothing for ${timeText(seconds)}: ${advice}`,
    );
  throw new FailedError(
    `the replica at ${placeOf(url)} is ${timeText(seconds)} behind${runsText(primary, replica)}: wait until it has caught up, ${advice}`,
  );
};

const readPrimary = (url: string): Promise<Primary | null> =>
  inSession(
    url,
    'tieout replica',
    async (session) => (await session.query<Primary>(PRIMARY)).rows[0] ?? null,
  ).catch((error: Error) => {
    if (error instanceof FailedError) return null; // a replica is also there for the time when the primary is not
    throw error;
  });

const bytesOf = ({ bytes_behind }: Replica): number => Number.parseInt(bytes_behind ?? '0', 10);

const readReplica = (url: string, primary: Primary | null): Promise<Replica> =>
  inSession(url, 'tieout replica', async (session) => {
    for (let waited = 0; ; waited += STEP_MS) {
      const { rows } = await session.query<Replica>(REPLICA, [primary?.lsn ?? null]);
      const replica = rows[0] as Replica;
      if (!replica.is_replica || bytesOf(replica) <= 0 || waited >= WAIT_MS) return replica;
      await sleep(STEP_MS);
    }
  });

const timeText = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`;

const runsText = (primary: Primary, { last_run }: Replica): string =>
  primary.last_run === last_run
    ? ''
    : ` (its last finished run is ${last_run}, the primary's is ${primary.last_run})`;
