// Signals to the process, heard from its first line on: while the modules load, one would end it without a sentence.
import { InterruptedError, SIGNALS, type StopSignal } from '../base/errors.ts';

/** Aborted by the first signal, or by a fault: the command stops in order. */
export const stopping = new AbortController();

/**
 * A terminal signals every process of a command, systemd every process of a unit, and npx passes the signal on to us besides. What
 * follows so soon is the same signal.
 */
const SAME_MS = 1_000;

let leave = ({ exitCode }: InterruptedError): never => process.exit(exitCode);

/** Chooses how a second signal ends the process. */
export const onSecondSignal = (end: (reason: InterruptedError) => never): void => {
  leave = end;
};

let firstMs: number | null = null;

for (const signal of Object.keys(SIGNALS) as StopSignal[])
  process.on(signal, () => {
    firstMs ??= performance.now();
    const reason = new InterruptedError(signal);
    if (!stopping.signal.aborted) stopping.abort(reason);
    else if (performance.now() - firstMs > SAME_MS) leave(reason);
  });
