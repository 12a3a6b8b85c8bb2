// The jobs of a night that several processes share. `night` lists the entities and queues one job for each; the transaction that ends
// the last of them queues `last`; its host's worker then writes the files and closes the run. The functions are those of `nightly`.

import type { Transaction } from 'kysely';
import { messageOf } from '../src/base/errors.ts';
import { LockLost } from '../src/database/database.ts';
import type { DB } from '../src/database/db-types.ts';
import {
  BooksMigrated,
  endedTasks,
  endTask,
  hasEnded,
  hostOfFiles,
  openTasks,
  report,
  stateOf,
  storedNight,
  writesFilesOn,
} from '../src/run/run.ts';
import type { Entity } from './entities.ts';
import { exportSettled } from './export.ts';
import { night, sessionOf } from './night-job.ts';
import { finishNight, nightOf } from './nightly.ts';
import { isPassing } from './passing.ts';
import { addJobs, type Payload, type QueuedJob, type Tasks, untakenSteps } from './queue.ts';
import { endRun, failRun, outcomeOf, partOf, type WorkerContext } from './run-end.ts';
import type { RunPart } from './run-parts.ts';
import { isBan, type Task, visitEntity } from './session.ts';

const EXPORT_ON = 'export on ';
const NO_FILES = 'end without files';

/** The tasks of a worker. A failure of the gateway or of one entity ends its task; what may pass is tried again. */
export const tasksOf = (context: WorkerContext): Tasks => {
  const { filesHost } = context;
  const steps = {
    night,
    entity: entityNight,
    last,
    [NO_FILES]: endWithoutFiles,
    ...(filesHost !== null && { [EXPORT_ON + filesHost]: exportFiles }),
  };
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, (payload) => orLost(context, step(context, payload))]),
  );
};

/** A worker that has lost a lock stops: other workers may have its jobs by now. So does one of a version that the books have left. */
const orLost = (context: WorkerContext, step: Promise<void>): Promise<void> =>
  step.catch((error: unknown) => {
    if (error instanceof LockLost) context.lose();
    if (error instanceof BooksMigrated) context.lose(error);
    throw error;
  });

/** A step of a run that follows all of its entities. */
const stepOf = (runId: string, task: string, facts: Payload = {}) => ({
  task,
  key: `${runId} ${task}`,
  queue: null,
  payload: { run: runId, ...facts },
});

/** The step that ends a run: on the host that writes its files, or without files if none does. `requests`: those of the last step. */
const filesStep = (runId: string, host: string | null, requests: number): QueuedJob => ({
  ...stepOf(runId, host === null ? NO_FILES : EXPORT_ON + host, { requests }),
  key: `${runId} files`,
});

type MovedFiles = { readonly run: string; readonly from: string; readonly host: string | null };

/** Passes the files of a run to another host, if that of its last step has had no worker to write them for a minute. */
export const moveFiles = async (tx: Transaction<DB>): Promise<MovedFiles[]> => {
  const moved: MovedFiles[] = [];
  for (const { task, run, requests } of await untakenSteps(tx, EXPORT_ON)) {
    const from = task.slice(EXPORT_ON.length);
    if (await writesFilesOn(tx, from)) continue;
    const host = await hostOfFiles(tx);
    await addJobs(tx, [filesStep(run, host, countIn(requests))]);
    moved.push({ run, from, host });
  }
  return moved;
};

const countIn = (count: unknown): number => Number.parseInt(String(count), 10);

/** One entity's part of the night. */
const entityNight = async (context: WorkerContext, payload: Payload): Promise<void> => {
  const [runId, entity] = [String(payload.run), entityOf(payload)];
  const part = await partOf(context, runId);
  if (part === null) return;
  const { session, ahead } = part;
  const { work } = session;
  const whole = async (): Promise<void> => {
    const end = await visit(context, part, entity, payload.full === true);
    await part.reportClocks();
    await ahead.settled();
    await endTask(work.db, runId, { entity: entity.id, requests: part.newRequests(), ...end }, (tx) =>
      addJobs(tx, [stepOf(runId, 'last')]),
    );
  };
  await part.claim(entity.id, async () => {
    if (!(await hasEnded(work.db, runId, entity.id))) await ahead.visit(entity.id, whole);
  });
};

const visit = async (context: WorkerContext, part: RunPart, entity: Entity, isFull: boolean) => {
  const session = sessionOf(part, isFull);
  const { work } = session;
  const stored = await storedNight(work.db, work.run.id, entity.id);
  if (stored !== null) return { result: stored, failure: null };
  const answered = { isAny: true, refused: new Set<string>() }; // the night has proved the key
  try {
    const task: Task = (id, read) => nightOf(work, { entity: id, ahead: part.ahead }, read);
    const result = await visitEntity(session, entity, { answered, known: () => {}, task });
    return { result, failure: null };
  } catch (error) {
    if (isPassing(context, error)) throw error;
    await report(work.db, work.run, { entity: entity.id, subject: 'failed', detail: messageOf(error) });
    return { result: isBan(error) ? ('banned' as const) : ('failed' as const), failure: messageOf(error) };
  }
};

/** What follows once every entity has been read. Its next step is queued once this one has let go of the end of the run, which that needs. */
const last = async (context: WorkerContext, payload: Payload): Promise<void> => {
  let queueNext = async (): Promise<void> => {};
  await atItsEnd(context, { ...payload, requests: 0 }, async (part) => {
    const { work } = part.session;
    if ((await openTasks(work.db, work.run.id)) > 0) return;
    const tasks = await endedTasks(work.db, work.run.id);
    await finishNight(sessionOf(part, false), outcomeOf(tasks), part.reportClocks);
    const step = filesStep(work.run.id, await hostOfFiles(work.db), part.newRequests());
    queueNext = () => work.db.transaction().execute((tx) => addJobs(tx, [step]));
  });
  await queueNext();
};

/** Writes the files of the months that changed, and ends the run. */
const exportFiles = (context: WorkerContext, payload: Payload): Promise<void> =>
  atItsEnd(context, payload, async (part) => {
    await exportSettled(part.session.work);
    return () => endRun(context, part, countIn(payload.requests));
  });

const endWithoutFiles = (context: WorkerContext, payload: Payload): Promise<void> =>
  atItsEnd(context, payload, async (part) => {
    const { work } = part.session;
    await report(work.db, work.run, {
      entity: work.config.entity,
      severity: 'note',
      subject: 'exports',
      detail:
        'no worker writes files, so none are written: start one without --no-files, or run npx tieout export',
    });
    return () => endRun(context, part, countIn(payload.requests));
  });

/**
 * A step that one worker at a time does for a run, as long as it is open; what it returns is called once it is done. Its failure ends
 * the run, unless it may pass.
 */
const atItsEnd = async (
  context: WorkerContext,
  { run, requests }: Payload,
  step: (part: RunPart) => Promise<void | (() => Promise<void>)>,
): Promise<void> => {
  const runId = String(run);
  const part = await partOf(context, runId);
  await part?.claim(`the end of ${runId}`, async () => {
    if ((await stateOf(part.session.work.db, runId)) !== 'open') return;
    const end = await step(part).catch(async (error: unknown) => {
      if (isPassing(context, error)) throw error;
      await failRun(context, part.session.work.run, { error, more: countIn(requests) + part.newRequests() });
    });
    await end?.();
  });
  await context.parts.sweep(); // its own part too, once the claim is free
};

const entityOf = ({ id, subaccount, isListed }: Payload): Entity => ({
  id: String(id),
  ...(typeof subaccount === 'string' && { subaccount }),
  ...(isListed === true && { isListed }),
});
