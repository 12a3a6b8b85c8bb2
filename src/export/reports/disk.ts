// The disk: turns its errors into one line (what, where, what to do next).
import { resolve } from 'node:path';
import { diskAdvice, diskRefusal, isMisnamed } from '../../base/disk-errors.ts';
import { FailedError, UsageError } from '../../base/errors.ts';

const REFUSALS: Record<string, string> = {
  ENOTEMPTY: 'another export has just written it',
  EBUSY: 'it is in use, or a disk is mounted there, so that it cannot be replaced whole',
};

/**
 * Runs `work`, which writes an export to `target`. A disk error becomes a FailedError, or a UsageError if there can be no folder of that
 * name; other errors pass.
 */
export const onDisk = async <T>(target: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const { code = '', syscall, path } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const place = path === undefined ? '' : ` (${code} at ${path})`;
    const why = `${REFUSALS[code] ?? diskRefusal(code)}${place}`;
    if (!isMisnamed(code)) throw notWritten(target, `${why}; ${diskAdvice(code)}`, error);
    throw new UsageError(
      `the export cannot be written to ${resolve(target)}: ${why}; choose another folder`,
      {
        cause: error,
      },
    );
  }
};

/** The error of an export that cannot be written to `target`, why, and what to do other than to choose another folder. */
export const notWritten = (target: string, why: string, cause: unknown): FailedError =>
  new FailedError(
    `the export cannot be written to ${resolve(target)}: ${why} or choose another folder, and run again`,
    { cause },
  );

/** For `catch`: null if the file does not exist; any other error passes. */
export const absent = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};
