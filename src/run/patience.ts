// Waiting for another run to end.
import { BusyError } from '../base/errors.ts';
import { pause } from '../base/signal.ts';
import { stopwatch } from '../base/time.ts';

type Waiting = { readonly waitMs: number; readonly signal?: AbortSignal | undefined };

const STEP_MS = 1_000;

/** Repeats `take` while another run is at work, for at most `waitMs`; then its BusyError is thrown. */
export const whenFree = async <T>({ waitMs, signal }: Waiting, take: () => Promise<T>): Promise<T> => {
  for (const waitedMs = stopwatch(); ; ) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof BusyError) || waitedMs() >= waitMs) throw error;
    }
    signal?.throwIfAborted();
    await pause(Math.min(STEP_MS, Math.max(1, waitMs - waitedMs())), signal);
    signal?.throwIfAborted();
  }
};
