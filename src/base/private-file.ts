// A file that only its owner can read, written whole or not at all. It stores generated passwords, settings, seals and the state of exports.
import { rename, rm } from 'node:fs/promises';
import { readNamedFile } from './named-file.ts';
import { writeNew } from './ownership.ts';
import { nameWhole, pathBeside, sweepBeside } from './path-beside.ts';

const BYTES_MAX = 1_000_000;

/** The value in the file; null if the file does not exist. Throws a message that follows the file's name in a sentence if it cannot be used. */
export const readPrivate = (file: string): unknown => {
  const read = readNamedFile(file, { bytesMax: BYTES_MAX, isSecret: true, followsLinks: false });
  if ('bytes' in read) return valueIn(read.bytes.toString('utf8'));
  if (read.code === 'ENOENT') return null;
  throw new Error(read.refusal);
};

const valueIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`is not valid JSON (${(error as Error).message}): restore it from a backup`, {
      cause: error,
    });
  }
};

/** Writes the text to a new file. Throws EEXIST if there is one. */
export const createPrivate = (file: string, text: string): Promise<void> =>
  writeBeside(file, text, (partial) => nameWhole(partial, file));

/** Writes the text, in place of an earlier file, in a folder that only we can change. */
export const replacePrivate = (file: string, text: string): Promise<void> =>
  writeBeside(file, text, (partial) => rename(partial, file));

/** Writes the text under a name of its own beside the file, then gives it that of the file. */
const writeBeside = async (
  file: string,
  text: string,
  name: (partial: string) => Promise<void>,
): Promise<void> => {
  await sweepBeside(file);
  const partial = pathBeside(file, 'partial');
  try {
    await writeNew(partial, text);
    await name(partial);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

/** Writes the value as JSON. */
export const writePrivate = (file: string, value: unknown): Promise<void> =>
  replacePrivate(file, `${JSON.stringify(value, null, 2)}\n`);
