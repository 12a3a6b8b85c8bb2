// The two ways a command ends badly, each with its exit code. Findings are rows, not errors; bugs are asserts.

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
