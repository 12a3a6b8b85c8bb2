// server.json, with the password of the embedded server: what cannot be read is named once, with the reason.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNote } from '../../src/postgres/place.ts';
import { newFolder } from '../room.ts';

test.skipIf(process.platform === 'win32')('a note that others can read is refused in one sentence', () => {
  const own = newFolder();
  const note = join(own, 'server.json');
  writeFileSync(note, '{}');
  chmodSync(note, 0o644);
  expect(() => readNote(own)).toThrow(
    `the password of the embedded server cannot be read: ${note} can be read by others`,
  );
});
