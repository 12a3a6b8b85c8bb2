// The lanes of a snapshot: connections that read the same moment, so that Postgres works on one statement while the rows of
// another are written.
import type { Connection } from '../../database/client.ts';
import type { Database } from '../../database/connection.ts';
import { codeOf } from '../../database/database.ts';

/** A connection in the transaction of the snapshot. */
export type Lane = Connection & { release(error?: Error): void };

/**
 * `first` may be used beside its lane's statements. Whoever takes a lane gives it back. Once a statement has failed, its
 * transaction is of no use, and whoever asks for a lane gets that error.
 */
export type Lanes = {
  readonly first: Lane;
  readonly take: () => Promise<Lane>;
  readonly give: (lane: Lane) => void;
  /** Returns the error that failed first. */
  readonly fail: (error: unknown) => unknown;
  /** Ends every transaction; for when no lane is in use. */
  readonly close: () => Promise<void>;
};

/** One statement is executed while the rows of the other are written; more would only hold more memory and connections. */
const LANES = 2;

/** Settings of the session, the role or the database must not affect an exported byte. */
export const SETTINGS = [
  "set local timezone to 'UTC'",
  "set local datestyle to 'ISO, YMD'",
  'set local max_parallel_workers_per_gather to 0', // the lanes share the processors already
  "set local work_mem to '64MB'", // a month is sorted in memory
];

/** Opens one lane; further ones are opened when the others are in use. */
export const openLanes = async (pool: Database['pool']): Promise<Lanes> => {
  const opened: Lane[] = [];
  const close = () => closeAll(opened);
  const open = async (moment?: string): Promise<Lane> => {
    const lane = await pool.connect();
    opened.push(lane);
    await begin(lane, moment);
    return lane;
  };
  try {
    const first = await open();
    const moment = await momentOf(first);
    return { first, ...lending(first, () => open(moment)), close };
  } catch (error) {
    await close();
    throw error;
  }
};

type LaneRequest = { readonly resolve: (lane: Lane) => void; readonly reject: (error: unknown) => void };

const lending = (first: Lane, openNext: () => Promise<Lane>): Pick<Lanes, 'take' | 'give' | 'fail'> => {
  const free = [first];
  const waiting: LaneRequest[] = [];
  let lanes = 1;
  let failed: { readonly error: unknown } | null = null;
  const fail = (error: unknown): unknown => {
    failed ??= { error };
    for (const { reject } of waiting.splice(0)) reject(failed.error);
    return failed.error;
  };
  const wait = (): Promise<Lane> =>
    new Promise((resolve, reject) => {
      if (failed) reject(failed.error);
      else waiting.push({ resolve, reject });
    });
  const take = async (): Promise<Lane> => {
    if (failed) throw failed.error;
    const lane = free.pop();
    if (lane) return lane;
    if (lanes === LANES) return wait();
    lanes += 1;
    return openNext().catch((error: unknown) => {
      if (isMomentGone(error)) return wait();
      throw fail(error);
    });
  };
  const give = (lane: Lane) => {
    const next = waiting.shift();
    if (next) next.resolve(lane);
    else free.push(lane);
  };
  return { take, give, fail };
};

/** The first lane's transaction has ended, because a statement of it failed: whoever executed that reports the reason. */
const isMomentGone = (error: unknown): boolean => MOMENT_GONE.includes(codeOf(error));
/** SQLSTATEs of `set transaction snapshot`: there is no such snapshot, or its transaction is not running. */
const MOMENT_GONE = ['42704', '55000', '22023'];

const begin = async (lane: Lane, moment?: string): Promise<void> => {
  await lane.query('begin isolation level repeatable read read only');
  if (moment !== undefined) await lane.query(`set transaction snapshot '${moment}'`);
  for (const setting of SETTINGS) await lane.query(setting);
};

/** The name under which other transactions see what this one sees. */
const momentOf = async (lane: Lane): Promise<string> => {
  const { rows } = await lane.query<{ moment: string }>('select pg_export_snapshot() as moment');
  return rows[0]?.moment ?? '';
};

/** Nothing was written, so there is nothing to commit. If a rollback fails, the connection is discarded. */
const closeAll = async (lanes: readonly Lane[]): Promise<void> => {
  for (const lane of lanes) {
    try {
      await lane.query('rollback');
      lane.release();
    } catch (error) {
      lane.release(error as Error);
    }
  }
};
