// Waiting for another run: by a clock that nobody sets.
import { expect, onTestFinished, test, vi } from 'vitest';
import { BusyError } from '../../src/base/errors.ts';
import { whenFree } from '../../src/run/patience.ts';

/** The n-th try takes the books; the clock of the machine is set by so much meanwhile. */
const triesUntilFree = async (waitMs: number, setMs: number, free = 2): Promise<number> => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let tries = 0;
  await whenFree({ waitMs })(async () => {
    tries += 1;
    vi.setSystemTime(Date.now() + setMs);
    if (tries < free) throw new BusyError('another run is at work');
  }).catch((error: unknown) => expect(error).toBeInstanceOf(BusyError));
  return tries;
};

test('a clock that is set forward does not end the waiting', async () => {
  expect(await triesUntilFree(60_000, 7_200_000)).toBe(2);
});

test('one that is set back does not prolong it', async () => {
  expect(await triesUntilFree(0, -7_200_000, 4)).toBe(1);
});

test('two things that are taken one after the other wait no longer than one', async () => {
  const free = whenFree({ waitMs: 300 });
  let tries = 0;
  await free(async () => {
    tries += 1;
    if (tries === 1) throw new BusyError('another run is at work');
  });
  const second = async () => {
    tries += 1;
    throw new BusyError('another run is at work');
  };
  await expect(free(second)).rejects.toThrow(BusyError);
  expect(tries).toBe(3);
});
