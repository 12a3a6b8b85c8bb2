// The errors that end a command, each with its exit code. Findings are rows, not errors; bugs are asserts.

/** An argument, a setting, a period or an SQL statement is wrong (exit code 64). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = 64;
}

/** The configured database has no books yet. */
export class NoBooksError extends UsageError {}

/**
 * The run cannot do its work because of the gateway, the database or the disk (exit code 2). Nothing is half done: run it
 * again.
 */
export class FailedError extends Error {
  override readonly name: string = 'FailedError';
  readonly exitCode: number = 2;
}

/** Another run is writing the books (exit code 75): wait for it, and run again. */
export class BusyError extends FailedError {
  override readonly name: string = 'BusyError';
  override readonly exitCode: number = 75;
  /** The run at work, if it is known. */
  readonly holder: string | null;
  constructor(message: string, holder: string | null = null) {
    super(message);
    this.holder = holder;
  }
}

/** The signals that end a process from outside, with the exit codes that shells expect. */
export const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof SIGNALS;

/** A signal ended the command. Uncommitted work is rolled back. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly exitCode: number;
  constructor(signal: StopSignal) {
    super(`interrupted by ${signal}: unfinished work was rolled back; run the command again to continue`);
    this.exitCode = SIGNALS[signal];
  }
}

/** Work that a signal was ending in order failed by itself: its failure is the end, not the signal. */
export class FailedAtEnd extends Error {
  override readonly name = 'FailedAtEnd';
  readonly failure: unknown;
  constructor(failure: unknown) {
    super(messageOf(failure));
    this.failure = failure;
  }
}

/** What an error says, whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
