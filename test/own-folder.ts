// A folder of its own for each test of a file, and folders in it of any mode and owner.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { roomy } from './room.ts';

/** The folder of one test. */
export let folder: string;

/** Creates it before each test of a file and removes it after. */
export const withFolder = (): void => {
  beforeEach(() => {
    folder = mkdtempSync(join(roomy(), `tieout-test-${process.pid}-`));
    chmodSync(folder, 0o755); // root's server runs as another user
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
};

/** A folder in it. */
export const newFolder = (name: string, mode: number, owner?: number): string => {
  const path = join(folder, name);
  mkdirSync(path);
  chmodSync(path, mode);
  if (owner !== undefined) chownSync(path, owner, owner);
  return path;
};
