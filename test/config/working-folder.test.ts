// The folder that a command was started in, from which `.env` and relative paths are read.
import { afterEach, expect, test, vi } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { environment } from '../../src/config/environment.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a working folder that was removed is a mistake of the caller, not a fault in tieout', () => {
  vi.spyOn(process, 'cwd').mockImplementation(() => {
    throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), { code: 'ENOENT' });
  });
  expect(() => environment()).toThrow(UsageError);
  expect(() => environment()).toThrow('the working folder was removed: change to a folder that exists');
});
