// The metrics as a text file, for the textfile collector of node_exporter.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskRefusal } from '../base/disk-errors.ts';
import { FailedError } from '../base/errors.ts';
import { pathBeside, sweepBeside } from '../base/path-beside.ts';

/** Others read it, whatever the umask of a unit: the collector runs as a user of its own. */
const MODE = 0o644;

/** Writes the file whole or not at all: a collector never reads half of it. Throws a FailedError that names the folder. */
export const writeMetricsFile = async (file: string, text: string): Promise<void> => {
  const next = pathBeside(file, 'partial');
  try {
    await sweepBeside(file);
    await writeNew(next, text);
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true }).catch(() => {}); // the first error says why
    throw refusal(file, error as NodeJS.ErrnoException);
  }
};

const writeNew = async (file: string, text: string): Promise<void> => {
  const written = await open(file, 'wx', MODE);
  try {
    await written.chmod(MODE); // whatever the umask
    await written.writeFile(text);
  } finally {
    await written.close();
  }
};

const refusal = (file: string, error: NodeJS.ErrnoException): Error => {
  const { code, syscall } = error;
  if (code === undefined || syscall === undefined) return error;
  const message = `${diskRefusal(code)} (${code} in ${dirname(file)}): make a folder that this user may write to and that has room, or name another in TIEOUT_METRICS_FILE`;
  return new FailedError(message, { cause: error });
};
