// Waiting for another run to end.
import { BusyError } from '../base/errors.ts';
import { pause } from '../base/signal.ts';
import { stopwatch } from '../base/time.ts';

export type Waiting = {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once, if it has to wait. */
  readonly onWait?: ((busy: BusyError) => void) | undefined;
};

const STEP_MS = 1_000;

/** Repeats `take` while another run is at work, for at most `waitMs`; then its BusyError is thrown. */
export const whenFree = async <T>(
  { waitMs, signal, onWait = () => {} }: Waiting,
  take: () => Promise<T>,
): Promise<T> => {
  let isWaiting = false;
  for (const waitedMs = stopwatch(); ; ) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof BusyError) || waitedMs() >= waitMs) throw error;
      if (!isWaiting) onWait(error);
      isWaiting = true;
    }
    signal?.throwIfAborted();
    await pause(Math.min(STEP_MS, Math.max(1, waitMs - waitedMs())), signal);
    signal?.throwIfAborted();
  }
};
