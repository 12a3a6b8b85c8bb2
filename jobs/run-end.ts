// The end of a run that several processes share: its result from the results of its tasks, and who hears of it.
import { BusyError, UsageError } from '../src/base/errors.ts';
import { msOf } from '../src/base/time.ts';
import type { GatewayConfig } from '../src/config/environment.ts';
import type { Run } from '../src/run/job-run.ts';
import {
  closeRun,
  databaseTime,
  endedTasks,
  endOf,
  markFailed,
  type NightVerdict,
  namingAltered,
  type OpenBooks,
  refuseOtherSettings,
  reportedFailures,
  requestsAtGate,
  settingsOf,
  sharedRun,
  type TaskEnd,
  verdictsOf,
} from '../src/run/run.ts';
import type { RunEnd, Work } from '../src/run/work.ts';
import { isPassing } from './passing.ts';
import type { RunPart, RunParts } from './run-parts.ts';
import { concludeRun } from './run-result.ts';
import type { EntityOutcome } from './session.ts';

/** How a night ended: with the verdict of each entity, unless it failed as a whole. */
type NightEnd = RunEnd & { readonly verdicts?: readonly NightVerdict[] };

/** Who hears of it: beginning and end are by the database's clock, since another host may have begun it. */
export type OnFinish = (run: Run & { readonly finishedAt: string }, end: NightEnd) => Promise<void>;

/** What the tasks of a worker share. */
export type WorkerContext = {
  readonly books: OpenBooks;
  readonly config: GatewayConfig;
  readonly parts: RunParts;
  /** The name of this machine, if its workers write files; otherwise null. */
  readonly filesHost: string | null;
  readonly onFinish: OnFinish;
  /** Ends this worker, once it has lost a lock, or must not work on these books. */
  readonly lose: (reason?: Error) => void;
};

/** Ends a run. `before`: the requests of its steps before this one, in another process perhaps. */
export const endRun = async (
  context: WorkerContext,
  { session: { work }, newRequests }: RunPart,
  before: number,
): Promise<void> => {
  const tasks = await endedTasks(work.db, work.run.id);
  const requests = await sentIn(work, { tasks, more: before + newRequests() });
  const outcome = outcomeOf(tasks);
  const failures = new Map(outcome.failures);
  for (const [entity, failure] of await reportedFailures(work.db, work.run.id)) // such as of the market data, which are no task's
    if (!failures.has(entity)) failures.set(entity, new Error(failure));
  const concluded = await concludeRun(work, { ...outcome, failures, requests });
  const result = { ...concluded, verdicts: await verdictsOf(work.db, work.run.id) };
  if (await closeRun(work.db, work.run, result)) await announceEnd(context, work.run, result);
};

/**
 * Ends a run that failed; the requests of its tasks count, and `more` of other jobs. The signal's and the database's failures too: a
 * night that they stop before its tasks are stored begins anew.
 */
export const failRun = async (
  context: WorkerContext,
  run: Run,
  { error, more }: { readonly error: unknown; readonly more: number },
): Promise<void> => {
  const { db } = context.books.database;
  const { signal } = context.config;
  const reason: unknown = signal?.aborted ? signal.reason : await namingAltered(context.books.url, error); // not what the signal caused
  const end = endOf(reason, await sentIn({ db, run }, { tasks: await endedTasks(db, run.id), more }));
  if (await markFailed(context.books.url, run, end)) await announceEnd(context, run, end);
};

/** The requests of a run: those of its tasks and `more`, or as many as the gate counted, since of a killed process only the gate knows. */
const sentIn = async (
  { db, run }: Pick<Work, 'db' | 'run'>,
  { tasks, more }: { readonly tasks: readonly TaskEnd[]; readonly more: number },
): Promise<number> => {
  const reported = tasks.reduce((sum, { requests }) => sum + requests, more);
  return Math.max(reported, await requestsAtGate(db, run.id));
};

/**
 * This process's part of a run; null if the run is over. What keeps it from being opened, and will not pass, such as a request gate that
 * is gone, ends the run: without it nothing is read, and its jobs would be tried again until the next night.
 */
export const partOf = async (context: WorkerContext, runId: string): Promise<RunPart | null> => {
  try {
    await refuseOthers(context);
    return await context.parts.part(runId);
  } catch (error) {
    if (error instanceof BusyError || isPassing(context, error)) throw error;
    await failRun(context, await sharedRun(context.books.database.db, runId), { error, more: 0 });
    return null;
  }
};

/** A worker with other settings than the books, which another one has begun meanwhile, ends: its jobs are left to others. */
const refuseOthers = async ({ books, config, lose }: WorkerContext): Promise<void> => {
  try {
    await refuseOtherSettings(books.database.db, settingsOf(config));
  } catch (error) {
    if (error instanceof UsageError) lose(error);
    throw error;
  }
};

const announceEnd = async (context: WorkerContext, run: Run, end: NightEnd): Promise<void> => {
  const { exitCode, requests, summary } = end;
  const finishedAt = await databaseTime(context.books.database.db);
  const tookMs = msOf(finishedAt) - msOf(run.startedAt);
  context.books.tell({
    event: 'run ended',
    run: run.id,
    exit_code: exitCode,
    requests,
    summary,
    ...(tookMs >= 0 && { duration_ms: tookMs }), // the clock was set back otherwise
  });
  await context.onFinish({ ...run, finishedAt }, end);
};

export const outcomeOf = (tasks: readonly TaskEnd[]): EntityOutcome => {
  const known = tasks.filter(({ result }) => result !== 'unknown');
  return {
    entities: known.map(({ entity }) => entity),
    failures: new Map(
      known.flatMap(({ entity, failure }) => (failure === null ? [] : [[entity, new Error(failure)]])),
    ),
    skipped: new Set(known.filter(({ result }) => result === 'skipped').map(({ entity }) => entity)),
    isBanned: known.some(({ result }) => result === 'banned'),
  };
};
