// The folder of temporary files: removed whatever becomes of the work in it, and named where its disk does not take it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { FailedError } from '../../src/base/errors.ts';
import { withTemporaryFolder } from '../../src/base/temporary-folder.ts';
import { newFolder } from '../room.ts';

afterEach(() => vi.unstubAllEnvs());

test('what is written there goes with the work, whether it ends well or not', async () => {
  const made: string[] = [];
  const work = (end: () => string) =>
    withTemporaryFolder('tieout-test-', async (folder) => {
      made.push(folder);
      writeFileSync(join(folder, 'file'), '');
      return end();
    });
  expect(await work(() => 'done')).toBe('done');
  await expect(
    work(() => {
      throw new Error('a fault');
    }),
  ).rejects.toThrow(/^a fault$/);
  expect(made.map((folder) => existsSync(folder))).toEqual([false, false]);
});

test.skipIf(process.platform === 'win32')('a TMPDIR that takes no folder is named', async () => {
  const missing = join(newFolder(), 'missing');
  vi.stubEnv('TMPDIR', missing);
  const why = `${missing} takes no temporary files: the folder does not exist; set TMPDIR to a folder that does, and run again`;
  await expect(withTemporaryFolder('tieout-test-', async () => {})).rejects.toEqual(new FailedError(why));
});

test('a failure to write there says whose folder it is', async () => {
  const work = withTemporaryFolder('tieout-test-', async (folder) => {
    throw new FailedError(`${folder} cannot be written: the disk is full`);
  });
  await expect(work).rejects.toThrow(/the disk is full \(the folder of temporary files is that of TMPDIR\)$/);
});
