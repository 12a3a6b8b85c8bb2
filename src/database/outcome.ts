// What became of a transaction whose commit failed: the answer may have been lost on its way, and the commit have succeeded.
import { type Kysely, sql } from 'kysely';
import { pause } from '../base/signal.ts';
import { stopwatch } from '../base/time.ts';
import type { Session } from './client.ts';
import { inSession } from './connection.ts';
import type { DB } from './db-types.ts';
import { isConnectionLost } from './lost.ts';

/** Identifies a transaction that writes, also after it has ended. */
export type TransactionId = string;

/** How a transaction ended; `unknown` if the database does not say. */
type Outcome = 'committed' | 'aborted' | 'unknown';

/** A server that restarts is back by then. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 200;

export const transactionId = async (tx: Kysely<DB>): Promise<TransactionId> => {
  const { rows } = await sql<{ id: TransactionId }>`select pg_current_xact_id()::text as id`.execute(tx);
  return rows[0]?.id ?? '';
};

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
