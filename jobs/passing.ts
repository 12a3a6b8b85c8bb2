// Whether a job that failed may pass when another worker tries it again.
import { InterruptedError } from '../src/base/errors.ts';
import type { Config } from '../src/config/environment.ts';
import { type DatabaseFailure, databaseFailure, LockLost } from '../src/database/database.ts';
import { BooksMigrated } from '../src/run/run.ts';

/** The failures of the database after which the same job may pass. A fault of the server stays. */
const PASSING: readonly (DatabaseFailure | null)[] = ['lost', 'stopped', 'conflict', 'read-only'];

/** Whether the database failed in a way that may pass. */
export const mayPass = (error: unknown): boolean => PASSING.includes(databaseFailure(error));

/** A signal, the database, another version or a lost lock stopped the job, not what it read: it is not booked to the entity. */
export const isPassing = ({ config }: { readonly config: Config }, error: unknown): boolean =>
  config.signal?.aborted === true ||
  error instanceof InterruptedError ||
  error instanceof LockLost ||
  error instanceof BooksMigrated ||
  mayPass(error);
