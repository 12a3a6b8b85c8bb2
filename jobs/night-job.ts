// The first job of a night that several processes share: it lists the entities, proves the key on the first one, and queues a job for each.
import { BusyError } from '../src/base/errors.ts';
import { besideRuns, openSharedRun, storeTasks } from '../src/run/run.ts';
import { proveKey } from './extract.ts';
import { isPassing } from './passing.ts';
import { addJobs, hasJob, nightJob, type Payload } from './queue.ts';
import { failRun, type WorkerContext } from './run-end.ts';
import type { RunPart } from './run-parts.ts';
import { listedEntities, type Session } from './session.ts';

const LOOK_MS = 30_000;

/** Begins a night, unless one is still at work. While another run writes the books, a look every half minute takes its place. */
export const night = async (context: WorkerContext, payload: Payload): Promise<void> => {
  const { books, parts } = context;
  if (await isAtWork(context)) return books.tell({ event: 'night waits' });
  const run = await openSharedRun(books, 'nightly').catch(unlessBusy);
  if (run === null) {
    if (payload.waits !== true) books.tell({ event: 'night waits' });
    return besideRuns(books.database.db, (tx) =>
      addJobs(tx, [nightJob({ ...payload, waits: true }, LOOK_MS)]),
    );
  }
  books.tell({ event: 'run started', job: run.job, run: run.id });
  let part: RunPart | null = null;
  try {
    const opened = await parts.part(run.id);
    part = opened;
    // Claimed, so that a worker that stops keeps the lock until this has ended: without it the signal would look like a failure.
    await opened?.claim(`the beginning of ${run.id}`, () => queueEntities(opened, payload.full === true));
  } catch (error) {
    await failRun(context, run, { error, more: part?.newRequests() ?? 0 });
    await parts.sweep();
    if (isPassing(context, error)) throw error;
  }
};

const unlessBusy = (error: unknown): null => {
  if (error instanceof BusyError) return null;
  throw error;
};

/** Whether the last night has jobs that wait or are at work. */
const isAtWork = async ({ books: { database } }: WorkerContext): Promise<boolean> => {
  const row = await database.db
    .selectFrom('run.runs')
    .select(['run_id', 'job', 'finished_at'])
    .orderBy('run_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.finished_at !== null || row.job !== 'nightly') return false;
  return await hasJob(database.db, row.run_id);
};

/** Proves the key on the first entity, then stores the tasks of the run with their jobs. */
const queueEntities = async (part: RunPart, isFull: boolean): Promise<void> => {
  const session = sessionOf(part, isFull);
  const { work } = session;
  const { entities: listed, isAnswered } = await listedEntities(session);
  const [first] = listed;
  if (first) await proveKey({ ...session, entity: first }, isAnswered);
  const ids = listed.map(({ id }) => id);
  await storeTasks(work.db, work.run.id, ids, (tx) =>
    addJobs(
      tx,
      listed.map((entity) => ({
        task: 'entity',
        key: `${work.run.id} ${entity.id}`,
        queue: entity.id,
        payload: { run: work.run.id, full: isFull, ...entity },
      })),
    ),
  );
  work.tell({ event: 'queued', entities: ids.length });
};

/** What the stages of `nightly` need, for a job of a shared night. */
export const sessionOf = ({ session }: RunPart, isFull: boolean): Session => ({
  ...session,
  options: { isFull, skips: true },
});
