// What an error says about the database: the one judgement of whether it failed itself, or the statement is wrong.
import { codeOf } from './connection.ts';

/**
 * How the database failed: `lost`, its shutdown, its connection, its resources, its disk; `stopped`, somebody or a time limit
 * cancelled the statement; `conflict`, another session was in the way; `internal`, a fault of the server.
 */
export type DatabaseFailure = 'lost' | 'stopped' | 'conflict' | 'internal';

/** Classes of SQLSTATE, and the codes of sockets. All others are about the statement. */
const CODES: Readonly<Record<DatabaseFailure, RegExp>> = {
  lost: /^(08...|53...|57P..|58...|ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|EAI_AGAIN)$/,
  stopped: /^57[0-9A-OQ-Z]..$/,
  conflict: /^40...$/,
  internal: /^XX...$/,
};
const FAILURES = Object.keys(CODES) as DatabaseFailure[];

/** The messages of pg and its pool about a lost connection that have no code. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|timeout exceeded when trying to connect|timeout expired|Query read timeout)/;

/** How the database failed; null if it did not: the statement is wrong, or the error is not the database's. */
export const databaseFailure = (error: unknown): DatabaseFailure | null => {
  const code = codeOf(error);
  if (code === '') {
    if (!(error instanceof Error)) return null;
    if (LOST_WORDS.test(error.message)) return 'lost';
    return error.cause === undefined ? null : databaseFailure(error.cause);
  }
  return FAILURES.find((failure) => CODES[failure].test(code)) ?? null;
};

export const isConnectionLost = (error: unknown): boolean => databaseFailure(error) === 'lost';
