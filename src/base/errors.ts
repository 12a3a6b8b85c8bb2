// The ways a command ends badly, each with its exit code. Findings are rows, not errors; bugs are asserts.

/** What was typed or set is wrong: arguments, environment, a period, SQL that writes. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = 64;
}

/** The run could not do its work: gateway, database, disk. Nothing is half-done; run again. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
  readonly exitCode = 2;
}

/** What ends a process from outside, and the exit code that shells expect of it. */
export const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof SIGNALS;

/** Somebody ended the command. What was not committed is undone. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly exitCode: number;
  constructor(signal: StopSignal) {
    super(
      `interrupted by ${signal}: what was not finished is undone, and running it again goes on from there`,
    );
    this.exitCode = SIGNALS[signal];
  }
}
