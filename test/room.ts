// Where tests put what they write: in memory if there is room, since on a disk each database that a test clones takes ten
// times as long, and each file of an export is flushed to it.
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type {} from './provided.ts';

const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 2 * 1024 ** 3;

/** The folder that a test run and its servers have their homes in. */
export const roomy = (): string => {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY : tmpdir();
};

/** A new empty folder, gone when the run ends. */
export const newFolder = (): string => mkdtempSync(join(inject('scratch'), 'folder-'));
