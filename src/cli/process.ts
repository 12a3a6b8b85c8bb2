// The program's entry point: runs the command line to its end, or until a signal stops it.
import { diskRefusal } from '../base/disk-errors.ts';
import { FailedError, InterruptedError } from '../base/errors.ts';
import { FAILED, reportEnd } from './ending.ts';
import { run } from './program.ts';
import { onSecondSignal, stopping } from './stopping.ts';

onSecondSignal((reason) => process.exit(reportEnd(reason)));

const PATIENCE_MS = 30_000;

let hasEnded = false;

/** An error outside every promise: stop the command too, with a time limit. */
const onFault = (error: unknown): void => {
  if (hasEnded) process.exit(process.exitCode === FAILED ? FAILED : reportEnd(error)); // a command that failed has said why
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
