// Why the embedded server ended while it was in use: its log has the reason, its sessions only see that their connection is gone.
import { FailedError, InterruptedError, UsageError } from '../base/errors.ts';
import { tailSince } from './log-file.ts';
import type { Place } from './place.ts';

/** How a server writes that it ends all its sessions, after the time and the process of a line. */
const CRASH =
  /^.*\] (?:PANIC: +(?<panic>.+)|LOG: +(?<signal>.+ was terminated by (?:signal|exception) .+))$/m;

/** The words of the system and of the server for a full disk, a quota that is used up, and the limit of a file. */
const DISK = /No space left on device|Disk quota exceeded|File too large|Check free disk space/;

/** What to do about what a program of the server wrote, if its disk has no room; null for anything else. */
export const adviceOn = (text: string, folder: string): string | null =>
  DISK.test(text) ? `free space on the disk of ${folder}, and run again` : null;

/** Why the server has ended all its sessions since a size of the log; null if it has not, or the log does not say it. */
const crashSince = async (file: string, from: number): Promise<string | null> => {
  const { panic, signal } = CRASH.exec(await tailSince(file, from))?.groups ?? {};
  return panic ?? signal ?? null;
};

/**
 * An error, with the server's own reason if it has ended since that size of its log: the error of a session that ended names neither a
 * full disk nor a signal.
 */
export const withCrash = async (
  { folder, logFile }: Place,
  error: unknown,
  from: number,
): Promise<unknown> => {
  if (error instanceof UsageError || error instanceof InterruptedError) return error;
  const crash = await crashSince(logFile, from);
  if (crash === null) return error;
  const todo = adviceOn(crash, folder) ?? 'run again';
  return new FailedError(`the embedded server in ${folder} ended (${crash}): ${todo}; see ${logFile}`, {
    cause: error,
  });
};
