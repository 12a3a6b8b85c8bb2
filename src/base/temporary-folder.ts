// Folders for what a command writes only for itself, in the folder of temporary files (TMPDIR).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskRefusal } from './disk-errors.ts';
import { FailedError } from './errors.ts';

/** Lends a new folder, and removes it. Throws a FailedError that names TMPDIR if its disk takes no folder, or not what is written. */
export const withTemporaryFolder = async <T>(
  prefix: string,
  use: (folder: string) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), prefix)).catch(({ code = '' }: NodeJS.ErrnoException) => {
    throw new FailedError(
      `${tmpdir()} takes no temporary files: ${diskRefusal(code)}; set TMPDIR to a folder that does, and run again`,
    );
  });
  try {
    return await use(folder);
  } catch (error) {
    if (!(error instanceof FailedError && error.message.includes(folder))) throw error;
    throw new FailedError(`${error.message} (the folder of temporary files is that of TMPDIR)`, {
      cause: error,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
