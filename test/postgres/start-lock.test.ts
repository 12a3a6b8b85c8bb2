// The lock file of the embedded server: the error that keeps it from being written is in words.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FailedError } from '../../src/base/errors.ts';
import { withLock } from '../../src/postgres/start-lock.ts';
import { newFolder } from '../room.ts';

test('a lock that cannot be written names its file and what the disk said', async () => {
  const file = join(newFolder(), 'none', 'lock');
  const locked = withLock(file, async () => {});
  await expect(locked).rejects.toThrow(FailedError);
  await expect(locked).rejects.toThrow(
    `${file} cannot be written: the folder does not exist (ENOENT); the embedded server needs a TIEOUT_HOME`,
  );
});
