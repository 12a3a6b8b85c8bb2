// Whether an error says that the database was lost while working: its shutdown, its connection, its disk.
import { codeOf } from './connection.ts';

const LOST = /^(08...|53...|57P..|58...|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/;
/** pg's messages about a lost connection that have no code. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|timeout exceeded when trying to connect)/;

export const isConnectionLost = (error: unknown): boolean =>
  LOST.test(codeOf(error)) || (error instanceof Error && LOST_WORDS.test(error.message));
