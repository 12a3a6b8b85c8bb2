// Whether a job that failed may pass when another worker tries it again.
import { InterruptedError } from '../src/base/errors.ts';
import { type DatabaseFailure, databaseFailure } from '../src/database/database.ts';
import type { WorkerContext } from './run-end.ts';

/** The failures of the database after which the same job may pass. A fault of the server stays. */
const PASSING: readonly (DatabaseFailure | null)[] = ['lost', 'stopped', 'conflict'];

/** A signal or the database stopped the job, not what it read: it is not booked to the entity. */
export const isPassing = ({ config }: Pick<WorkerContext, 'config'>, error: unknown): boolean =>
  config.signal?.aborted === true ||
  error instanceof InterruptedError ||
  PASSING.includes(databaseFailure(error));
