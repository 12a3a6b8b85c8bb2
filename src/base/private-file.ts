// A file for its owner's eyes only, written whole or not at all: where generated passwords are kept.
import { rename, rm } from 'node:fs/promises';
import { readNamedFile } from './named-file.ts';
import { writeNew } from './ownership.ts';

const BYTES_MAX = 1_000_000;

/** The value in the file; null where it is not there. Throws where it is not a plain file, or what parsing throws. */
export const readPrivate = (file: string): unknown => {
  const read = readNamedFile(file, { bytesMax: BYTES_MAX, isSecret: true, followsLinks: false });
  if ('bytes' in read) return JSON.parse(read.bytes.toString('utf8'));
  if (read.code === 'ENOENT') return null;
  throw new Error(read.refusal);
};

/** Writes it, in a folder that only we can change. */
export const writePrivate = async (file: string, value: unknown): Promise<void> => {
  const next = `${file}.new`;
  await rm(next, { force: true }); // of a process that was killed
  await writeNew(next, `${JSON.stringify(value, null, 2)}\n`);
  await rename(next, file);
};
