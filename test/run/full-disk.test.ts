// The end of work on a disk without room: the reason is what failed first, not the lock that the leaving process cannot write either.
import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, test, vi } from 'vitest';
import { FailedError } from '../../src/base/errors.ts';
import { removeServer } from '../../src/postgres/postgres.ts';
import { withOwner } from '../../src/run/entry.ts';
import { booksConfig } from '../books-config.ts';
import { newHome } from '../homes.ts';

/** The disk has no room for a new lock from now on, for every module. */
const fill = (): void => {
  const { open } = promises;
  vi.spyOn(promises, 'open').mockImplementation(async (file, flags, mode) => {
    if (flags === 'wx') throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return open(file, flags, mode);
  });
  syncBuiltinESMExports();
};
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('the first failure is told, and what only the leaving failed at otherwise', async () => {
  const config = booksConfig(newHome());
  const work = (end: () => void) =>
    withOwner(
      config,
      async () => {
        fill();
        end();
      },
      { begins: true },
    );
  const fail = () => {
    throw new FailedError('could not extend file');
  };
  await expect(work(fail)).rejects.toThrow('could not extend file');
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await expect(work(() => {})).rejects.toThrow(/lock cannot be written: the disk is full \(ENOSPC\)/);
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await removeServer(config.home);
});
