// A file for its owner's eyes only, written whole or not at all: where generated passwords are kept.
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { handOver, weAreRoot } from './postgres-user.ts';

/** What the file says; null where it is not there. Throws what reading or parsing throws. */
export const readPrivate = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Writes it. Root leaves a user's folder his own. */
export const writePrivate = async (file: string, value: unknown): Promise<void> => {
  const { uid, gid } = await stat(dirname(file));
  await writeFile(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  await handOver(`${file}.new`, weAreRoot() ? { uid, gid } : {});
  await rename(`${file}.new`, file);
};
