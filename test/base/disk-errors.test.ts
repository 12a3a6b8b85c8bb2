// What an error of the system says about the disk.
import { expect, test } from 'vitest';
import { isUnwritten } from '../../src/base/disk-errors.ts';

test.each([
  ['write', 'ENOSPC', true],
  ['fsync', 'EIO', true],
  ['open', 'EACCES', false],
  ['write', 'EPIPE', false],
  ['write', 'ECONNRESET', false],
  ['read', 'ECONNRESET', false],
])('%s %s', (syscall, code, expected) => {
  expect(isUnwritten(Object.assign(new Error(code), { syscall, code }))).toBe(expected);
});
