#!/usr/bin/env node
// The program that a shell starts: what was typed, run to its end, or to where somebody ends it.
import { InterruptedError, SIGNALS, type StopSignal } from '../base/errors.ts';
import { reportEnd } from './ending.ts';
import { run } from './program.ts';

/** A reader that has seen enough (`| head`) closes the pipe: what we do goes on to its end, unread. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

const stopping = new AbortController();

/** The first signal ends what runs, in order; the second ends the process. */
for (const signal of Object.keys(SIGNALS) as StopSignal[])
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(reportEnd(new InterruptedError(signal)));
    stopping.abort(new InterruptedError(signal));
  });

const PATIENCE_MS = 30_000;

/** A fault outside of every promise: what runs is ended too, within reason. */
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
  process.exit(); // what was cut off may leave a timer or a socket behind
}
