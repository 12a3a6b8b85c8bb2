// Work that a signal ends: in order once it has begun, by force before that and where it cannot end.
import { expect, test } from 'vitest';
import { aborted, untilSignal } from '../../src/base/signal.ts';

const STOP = new Error('stop');
/** What a signal could not end in order has failed: the process exits with 2, not with the signal's code. */
const CUT_OFF = {
  name: 'FailedAtEnd',
  failure: {
    exitCode: 2,
    message: expect.stringMatching(/^the work did not end within 0\.001 s of the signal/),
  },
};
const forced = async (signal: AbortSignal): Promise<never> => {
  await aborted(signal);
  throw signal.reason;
};

test('before it has begun it ends at once, and that is no failure', async () => {
  const stop = new AbortController();
  const ended = untilSignal(stop.signal, 60_000, ({ signal }) => forced(signal));
  stop.abort(STOP);
  await ended;
});

test('what begins after all has not begun in time', async () => {
  await untilSignal(AbortSignal.abort(STOP), 60_000, async ({ signal, begin }) => {
    await aborted(signal);
    begin();
    throw STOP;
  });
});

test('once it has begun it ends by itself, or by force after its time', async () => {
  const stop = new AbortController();
  const inOrder = untilSignal(stop.signal, 60_000, async ({ signal, begin }) => {
    begin();
    await aborted(stop.signal);
    expect(signal.aborted).toBe(false);
  });
  const byForce = untilSignal(stop.signal, 1, ({ signal, begin }) => {
    begin();
    return forced(signal);
  });
  stop.abort(STOP);
  await inOrder;
  await expect(byForce).rejects.toMatchObject(CUT_OFF);
});

test('a failure while it ends in order is its own, and not the signal', async () => {
  const stop = new AbortController();
  const lost = new Error('lost');
  const failing = untilSignal(stop.signal, 60_000, async ({ begin }) => {
    begin();
    await aborted(stop.signal);
    throw lost;
  });
  const forcedToFail = untilSignal(stop.signal, 1, async ({ signal, begin }) => {
    begin();
    await aborted(signal);
    throw lost;
  });
  stop.abort(STOP);
  await expect(failing).rejects.toMatchObject({ name: 'FailedAtEnd', failure: lost });
  await expect(forcedToFail).rejects.toMatchObject({ name: 'FailedAtEnd', failure: lost });
});

test('what no force ends is left', async () => {
  const stop = new AbortController();
  const hanging = untilSignal(stop.signal, 1, ({ begin }) => {
    begin();
    return new Promise(() => {});
  });
  stop.abort(STOP);
  const awake = setTimeout(() => {}, 60_000); // as the hanging work keeps the process
  await expect(hanging).rejects.toMatchObject(CUT_OFF);
  clearTimeout(awake);
});

test('a failure of its own is one', async () => {
  await expect(untilSignal(undefined, 1, () => Promise.reject(STOP))).rejects.toBe(STOP);
});
