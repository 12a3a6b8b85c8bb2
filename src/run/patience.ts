// Waiting for another run to end.
import { BusyError } from '../base/errors.ts';
import { pause } from '../base/signal.ts';
import { stopwatch } from '../base/time.ts';

type Waiting = {
  /** The most that all that is taken in turn may wait together. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once, if it has to wait. */
  readonly onWait?: ((busy: BusyError) => void) | undefined;
};

/** Repeats `take` while another run is at work, until the time for waiting is used up; then its BusyError is thrown. */
export type WhenFree = <T>(take: () => Promise<T>) => Promise<T>;

const STEP_MS = 1_000;
/** What no timer can wait for: one may fire that much too early. */
const LEAST_MS = 1;

/** One time for waiting, used up by everything that is taken with it. */
export const whenFree = ({ waitMs, signal, onWait = () => {} }: Waiting): WhenFree => {
  let leftMs = waitMs;
  let isWaiting = false;
  return async (take) => {
    for (const waitedMs = stopwatch(); ; ) {
      const beforeMs = waitedMs();
      try {
        const taken = await take();
        leftMs -= beforeMs; // the taking itself is work
        return taken;
      } catch (error) {
        if (!(error instanceof BusyError) || leftMs - waitedMs() < LEAST_MS) throw error;
        if (!isWaiting) onWait(error);
        isWaiting = true;
      }
      signal?.throwIfAborted();
      await pause(Math.min(STEP_MS, Math.max(LEAST_MS, leftMs - waitedMs())), signal);
      signal?.throwIfAborted();
    }
  };
};
