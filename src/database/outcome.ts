// What became of a transaction whose commit failed: the answer may have been lost on its way, and the commit have succeeded.
import { type Kysely, sql } from 'kysely';
import { FailedError } from '../base/errors.ts';
import { pause } from '../base/signal.ts';
import { stopwatch } from '../base/time.ts';
import type { Session } from './client.ts';
import { inSession, placeOf } from './connection.ts';
import type { DB } from './db-types.ts';
import { isConnectionLost } from './lost.ts';

/** Identifies a transaction that writes, also after it has ended. */
export type TransactionId = string;

/** How a transaction ended; `unknown` if the database does not say. */
type Outcome = 'committed' | 'aborted' | 'unknown';

/** A server that restarts is back by then. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 200;

const OWN_ID = 'select pg_catalog.pg_current_xact_id()::text as id';

export const transactionId = async (tx: Kysely<DB>): Promise<TransactionId> => {
  const { rows } = await sql.raw<{ id: TransactionId }>(OWN_ID).execute(tx);
  return rows[0]?.id ?? '';
};

/** The address of a database, which is asked what became of a transaction. */
export type Answering = { readonly url: string };

/**
 * Commits the transaction of a session, which has written. Throws what the commit throws, unless only its answer was lost; and a
 * FailedError if the database does not say whether it was.
 */
export const commitSurely = async (session: Session, { url }: Answering): Promise<void> => {
  const { rows } = await session.query<{ id: TransactionId }>(OWN_ID);
  try {
    await session.query('commit');
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    const outcome = await outcomeOf(url, rows[0]?.id ?? '');
    if (outcome === 'aborted') throw error;
    if (outcome === 'unknown') throw unanswered(url, error);
  }
};

const unanswered = (url: string, cause: unknown): FailedError =>
  new FailedError(
    `the database at ${placeOf(url)} went away while it committed, and has not said since whether it did: see what npx tieout status shows there before you run the command again`,
    { cause },
  );

/**
 * How the transaction ended, asked in a session of its own, also after a signal: repeatedly while the database is away, or has not ended
 * it yet.
 */
export const outcomeOf = async (url: string, id: TransactionId): Promise<Outcome> => {
  for (const waitedMs = stopwatch(); ; await pause(PAUSE_MS)) {
    const status = await statusOf(url, id).catch((error: unknown) =>
      isConnectionLost(error) ? 'away' : null,
    );
    if (status === 'committed' || status === 'aborted') return status;
    if (status === null || waitedMs() >= PATIENCE_MS) return 'unknown';
  }
};

const statusOf = (url: string, id: TransactionId): Promise<string | null> => {
  const ask = async (session: Session) => {
    const { rows } = await session.query('select pg_catalog.pg_xact_status($1::xid8) as status', [id]);
    return rows[0]?.status ?? null;
  };
  return inSession(url, 'tieout outcome', ask, { isStopping: true });
};
