// What an error says about the database: the one judgement of whether it failed itself, or the statement is wrong.
import { codeOf } from './connection.ts';

/**
 * How the database failed: `lost`, its shutdown, its connection, its resources, its disk; `stopped`, somebody or a time limit
 * cancelled the statement; `conflict`, another session was in the way; `read-only`, it takes no writes, as a replica, which a
 * failover may make of it; `internal`, a fault of the server.
 */
export type DatabaseFailure = 'lost' | 'stopped' | 'conflict' | 'read-only' | 'internal';

/** Classes of SQLSTATE, and the codes of sockets. All others are about the statement. */
const CODES: Readonly<Record<DatabaseFailure, RegExp>> = {
  lost: /^(08...|53...|57P..|58...|ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|EAI_AGAIN)$/,
  stopped: /^57[0-9A-OQ-Z]..$/,
  conflict: /^40...$/,
  'read-only': /^25006$/,
  internal: /^XX...$/,
};
const FAILURES = Object.keys(CODES) as DatabaseFailure[];

/** The messages of pg and its pool about a lost connection that have no code. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|timeout exceeded when trying to connect|timeout expired|Query read timeout)/;

/**
 * Whether a replica refused to begin a transaction that writes. It does so with the code of everything that is not supported; its words
 * are in the server's language, so only the routine that checks a setting tells.
 */
const isBeginOnReplica = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (error as { routine?: unknown }).routine === 'call_bool_check_hook';

/** Whether the socket of a server on this host is not there: a file that is missing has the same code. */
const isSocketMissing = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as { syscall?: unknown }).syscall === 'connect';

/** How the database failed; null if it did not: the statement is wrong, or the error is not the database's. */
export const databaseFailure = (error: unknown): DatabaseFailure | null => {
  const code = codeOf(error);
  if (code === '') {
    if (!(error instanceof Error)) return null;
    if (LOST_WORDS.test(error.message)) return 'lost';
    return error.cause === undefined ? null : databaseFailure(error.cause);
  }
  if (isBeginOnReplica(error)) return 'read-only';
  if (isSocketMissing(error)) return 'lost';
  return FAILURES.find((failure) => CODES[failure].test(code)) ?? null;
};

export const isConnectionLost = (error: unknown): boolean => databaseFailure(error) === 'lost';
