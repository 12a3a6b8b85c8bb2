// How a failing command ends: one sentence on standard error, and its exit code.
import { CommanderError } from 'commander';
import { FailedError, InterruptedError, messageOf, UsageError } from '../base/errors.ts';
import { showsStack } from '../config/config.ts';
import { codeOf, databaseFailure, isConnectionLost, reasonOf } from '../database/database.ts';
import { isJsonLog, logText } from './log.ts';
import { oneLine } from './table-layout.ts';
import { paint } from './terminal.ts';
import { typedNext } from './typed-commands.ts';

const USAGE = 64;
export const FAILED = 2;

/** Writes why a command ended, and returns the exit code. Commander has already written its own messages. */
export const reportEnd = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  const exitCode = exitCodeOf(error);
  const message = typedNext(sentenceOf(error)).split('\n').map(oneLine).join('\n');
  process.stderr.write(failureText(message, exitCode));
  return exitCode;
};

/** The exit code of a command that ends with this error. */
export const exitCodeOf = (error: unknown): number =>
  KNOWN.some((known) => error instanceof known) ? (error as FailedError).exitCode : FAILED;

/** A mistake that commander found, as it is written. */
export const mistakeText = (text: string): string =>
  failureText(text.replace(/^error: /, '').trimEnd(), USAGE);

const failureText = (message: string, exitCode: number): string =>
  isJsonLog()
    ? logText({ event: 'failed', message, exit_code: exitCode })
    : `${paint('bad', 'tieout:', process.stderr)} ${message}\n`;

const KNOWN = [UsageError, FailedError, InterruptedError];

/** SQLSTATEs: nothing is lost, and another command meets the same until somebody makes room. */
const DISK_FULL = '53100';
const NO_CONNECTION_LEFT = '53300';

/** What happened, and what to do. */
export const sentenceOf = (error: unknown): string => {
  if (KNOWN.some((known) => error instanceof known)) return messageOf(error);
  const text = error instanceof Error ? reasonOf(error) : String(error);
  if (codeOf(error) === DISK_FULL)
    return `the disk of the database is full (${text}): free space on it, and run the command again`;
  if (codeOf(error) === NO_CONNECTION_LEFT)
    return `the database takes no more connections (${text}): end others, or raise the limit (max_connections, or that of the database or of the login), and run the command again`;
  if (databaseFailure(error) === 'read-only')
    return `the database takes no writes (${text}): write the address of the primary to DATABASE_URL, not that of a replica, or let its administrator allow writes`;
  if (isConnectionLost(error)) return `lost the connection to the database (${text}): run the command again`;
  if (showsStack() && error instanceof Error) return `a fault in tieout: ${error.stack ?? text}`;
  return `a fault in tieout: ${oneLine(text)} (please report it; TIEOUT_STACK=1 prints the stack)`;
};
