// The place for files of tests: in memory if there is room, because on a disk each cloned database takes ten
// times as long, and each exported file is flushed.
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type {} from './provided.ts';

const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 2 * 1024 ** 3;

/** The folder for the homes of a test run and its servers. */
export const roomy = (): string => {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY : tmpdir();
};

/** A new empty folder, removed when the run ends. */
export const newFolder = (): string => mkdtempSync(join(inject('scratch'), 'folder-'));
