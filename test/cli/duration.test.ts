// Durations as people write them on the command line.
import { expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { durationMs } from '../../src/cli/duration.ts';

test.each([
  ['26h', 93_600_000],
  ['93600s', 93_600_000], // as status --check --json prints it
  ['1560m', 93_600_000],
  ['9999d', 863_913_600_000],
])('a duration: %s', (text, ms) => {
  expect(durationMs('max-age', text)).toBe(ms);
});

test.each([
  ['26', 'write a number and a unit, such as 90s, 30m, 26h or 2d'],
  ['1.5h', 'write a number and a unit, such as 90s, 30m, 26h or 2d'],
  ['10000d', 'write 9999d or less'],
])('refused, with its reason: %s', (text, reason) => {
  expect(() => durationMs('wait', text)).toThrow(new UsageError(`--wait ${text}: ${reason}`));
});
