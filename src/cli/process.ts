// The program's entry point: runs the command line to its end, or until a signal stops it.
import { InterruptedError, SIGNALS, type StopSignal } from '../base/errors.ts';
import { reportEnd } from './ending.ts';
import { run } from './program.ts';

/** A reader such as `| head` may close the pipe: the command still runs to its end. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

const stopping = new AbortController();

/** The first signal stops the command in order; the second ends the process. */
for (const signal of Object.keys(SIGNALS) as StopSignal[])
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(reportEnd(new InterruptedError(signal)));
    stopping.abort(new InterruptedError(signal));
  });

const PATIENCE_MS = 30_000;

/** An error outside every promise: stop the command too, with a time limit. */
const onFault = (error: unknown): void => {
  if (stopping.signal.aborted) return;
  stopping.abort(error);
  setTimeout(() => process.exit(reportEnd(error)), PATIENCE_MS);
};
process.on('uncaughtException', onFault);
process.on('unhandledRejection', onFault);

await run(process.argv.slice(2), stopping.signal);
if (stopping.signal.aborted) {
  const { reason } = stopping.signal;
  if (!(reason instanceof InterruptedError) && !process.exitCode) process.exitCode = reportEnd(reason);
  process.exit(); // interrupted work may leave a timer or a socket open
}
