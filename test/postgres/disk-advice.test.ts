// A server that cannot be created or started for want of room: its last lines say so in words of their own.
import { expect, test } from 'vitest';
import { adviceOn } from '../../src/postgres/crash.ts';

test.each([
  'FATAL:  could not write lock file "postmaster.pid": No space left on device',
  'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 9\nHINT:  Check free disk space.\nAborted',
  'PANIC:  could not write to file "pg_wal/xlogtemp.7": Disk quota exceeded',
])('%s', (text) => {
  expect(adviceOn(text, '/books/postgres')).toBe('free space on the disk of /books/postgres, and run again');
});

test('any other reason has its own way out', () => {
  expect(adviceOn('FATAL:  invalid value for parameter "shared_buffers": "much"', '/books')).toBeNull();
});
