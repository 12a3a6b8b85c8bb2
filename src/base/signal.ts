// Signals that end a command, or a wait.
import { FailedAtEnd, FailedError } from './errors.ts';
import { SECOND_MS } from './time.ts';

/** Resolves once the signal is aborted; never without one. */
export const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    if (signal?.aborted) done();
    signal?.addEventListener('abort', () => done(), { once: true });
  });

type Serving = {
  /** Ends the work by force. */
  readonly signal: AbortSignal;
  /** From now on the work ends in order, by itself. */
  readonly begin: () => void;
};

/** What does not end by force either is left, to end with the process. */
const LEAVE_MS = 3_000;

const failAfter = (ms: number, { reason }: AbortSignal): Promise<never> =>
  new Promise((_, fail) => setTimeout(() => fail(reason), ms).unref());

const notInOrder = (graceMs: number): FailedError =>
  new FailedError(
    `the work did not end within ${graceMs / SECOND_MS} s of the signal, as when its database is silent, and was cut off: nothing is half done; check the database and start it again`,
  );

/**
 * Work that goes on until `signal`, and then ends in order, but by force after `graceMs`: a database that is silent would hold it up for
 * ever. Before it has begun, the signal ends it at once, and that is no failure. Afterwards what fails, such as a database that is lost, and
 * an end by force are failures of their own, not the signal.
 */
export const untilSignal = async (
  signal: AbortSignal | undefined,
  graceMs: number,
  work: (serving: Serving) => Promise<void>,
): Promise<void> => {
  const force = new AbortController();
  const stop = (): void => force.abort(signal?.reason);
  let [hasBegun, isEarly] = [false, false];
  const begin = (): void => {
    hasBegun = true;
  };
  aborted(signal).then(() => {
    isEarly = !hasBegun;
    if (isEarly) stop();
    else setTimeout(stop, graceMs).unref();
  });
  const left = aborted(force.signal).then(() => failAfter(LEAVE_MS, force.signal));
  left.catch(() => {}); // the work may have ended
  try {
    await Promise.race([work({ signal: force.signal, begin }), left]);
  } catch (error) {
    if (isEarly) return;
    if (!signal?.aborted) throw error;
    throw new FailedAtEnd(error === signal.reason ? notInOrder(graceMs) : error);
  }
};

/** Resolves after `ms`, or at once when the signal fires. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });

/** Resolves with `done`, or when the signal fires. */
export const unlessAborted = (done: Promise<void>, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      signal?.removeEventListener('abort', end);
      resolve();
    };
    if (signal?.aborted) return end();
    signal?.addEventListener('abort', end, { once: true });
    void done.then(end);
  });
