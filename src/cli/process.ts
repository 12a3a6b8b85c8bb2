// The program's entry point: runs the command line to its end, or until a signal stops it.
import { diskRefusal } from '../base/disk-errors.ts';
import { FailedError, InterruptedError, SIGNALS, type StopSignal } from '../base/errors.ts';
import { FAILED, reportEnd } from './ending.ts';
import { run } from './program.ts';

const stopping = new AbortController();

/** The first signal stops the command in order; the second ends the process. */
for (const signal of Object.keys(SIGNALS) as StopSignal[])
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(reportEnd(new InterruptedError(signal)));
    stopping.abort(new InterruptedError(signal));
  });

const PATIENCE_MS = 30_000;

let hasEnded = false;

/** An error outside every promise: stop the command too, with a time limit. */
const onFault = (error: unknown): void => {
  if (hasEnded) process.exit(reportEnd(error));
  if (stopping.signal.aborted) return;
  stopping.abort(error);
  setTimeout(() => process.exit(reportEnd(error)), PATIENCE_MS);
};
process.on('uncaughtException', onFault);
process.on('unhandledRejection', onFault);

/** A reader such as `| head` may close the pipe: the command still runs to its end. */
process.stdout.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE')
    onFault(
      new FailedError(`standard output cannot be written: ${diskRefusal(code)}; run the command again`),
    );
});

/** A log that cannot be written ends no night: its exit code still says how it ended. */
process.stderr.on('error', () => {});

await run(process.argv.slice(2), stopping.signal);
hasEnded = true;
if (stopping.signal.aborted) {
  const { reason } = stopping.signal;
  if (!(reason instanceof InterruptedError) && process.exitCode !== FAILED)
    process.exitCode = reportEnd(reason);
  process.exit(); // interrupted work may leave a timer or a socket open
}
