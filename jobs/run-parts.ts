// The parts of runs that this process has open: the books under their lock and a gateway client, from the first job of a run in
// this process until the run is over.
import type { GatewayConfig } from '../src/config/environment.ts';
import { taken } from '../src/database/database.ts';
import type { SharedLock } from '../src/database/writer-lock.ts';
import {
  endOf,
  hasTasks,
  type OpenBooks,
  requestsAtGate,
  sharedRun,
  stateOf,
  withSharedRun,
} from '../src/run/run.ts';
import { noPricesRead } from './rates.ts';
import { withGateway } from './run-gateway.ts';
import { gatewayLimits, type Session } from './session.ts';
import { type SharedAhead, sharedAhead } from './shared-ahead.ts';

export type RunPart = {
  /** What all jobs of the run in this process share. */
  readonly session: Session;
  readonly ahead: SharedAhead;
  readonly reportClocks: () => Promise<void>;
  /** Claims an entity, or the end of the run, for `use`; fails if another process is still at work on it. */
  claim<T>(entity: string, use: () => Promise<T>): Promise<T>;
  /** Requests sent since the last call: those of the jobs that ended in between. */
  newRequests(): number;
};

type OpenPart = {
  readonly part: RunPart;
  readonly close: () => Promise<void>;
  readonly ended: Promise<void>;
};

export type RunParts = {
  /** This process's part of a run; opened once. Null if the run is over or a later one has begun. */
  part(runId: string): Promise<RunPart | null>;
  /** Begins to close the parts of runs that are over: one closes once its jobs, which may be long, have ended. */
  sweep(): Promise<void>;
  /** Closes all parts, and waits until they are. */
  close(): Promise<void>;
};

/** `filesHost`: the name of this machine, if its workers write files; otherwise null. */
export const runParts = (books: OpenBooks, config: GatewayConfig, filesHost: string | null): RunParts => {
  const settings = { books, config, filesHost };
  const open = new Map<string, Promise<OpenPart>>();
  const closing = new Set<Promise<void>>();
  const close = (runId: string): void => {
    const opened = open.get(runId);
    open.delete(runId);
    const closed = Promise.resolve(opened)
      .then((part) => part?.close())
      .catch(() => {}) // its jobs have met the same failure
      .finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const isOpen = openRuns(books);
  const part = async (runId: string): Promise<RunPart | null> => {
    if (!(await isOpen(runId))) return null;
    const opened = open.get(runId) ?? openPart(settings, runId);
    open.set(runId, opened);
    const forget = () => void (open.get(runId) === opened && open.delete(runId));
    opened.then(({ ended }) => ended.catch(() => {}).then(forget), forget);
    return (await opened).part;
  };
  const sweep = async () => {
    for (const runId of [...open.keys()]) if (!(await isOpen(runId))) close(runId);
  };
  return {
    part,
    sweep,
    close: async () => {
      for (const runId of open.keys()) close(runId);
      await Promise.all(closing);
    },
  };
};

/** Whether a run is open. One that a later run has replaced cannot store its end, so the log of each process says it, once. */
const openRuns = ({ database: { db }, tell }: OpenBooks): ((runId: string) => Promise<boolean>) => {
  const replaced = new Set<string>();
  return async (runId) => {
    const state = await stateOf(db, runId);
    if (state === 'replaced' && !replaced.has(runId)) {
      replaced.add(runId);
      const { exitCode, summary, requests } = endOf(taken(), await requestsAtGate(db, runId));
      tell({ event: 'run ended', run: runId, exit_code: exitCode, requests, summary });
    }
    return state === 'open';
  };
};

type PartSettings = {
  readonly books: OpenBooks;
  readonly config: GatewayConfig;
  readonly filesHost: string | null;
};

/** Opens a part and keeps it until `close`. */
const openPart = (settings: PartSettings, runId: string): Promise<OpenPart> =>
  new Promise((opened, failed) => {
    const close = new AbortController();
    const closed = new Promise<void>((done) => close.signal.addEventListener('abort', () => done()));
    const ended = keepPart(settings, runId, async (part) => {
      const end = () => {
        close.abort();
        return ended;
      };
      opened({ part, close: end, ended });
      await closed;
    });
    ended.catch(failed);
  });

const keepPart = async (
  { books, config, filesHost }: PartSettings,
  runId: string,
  use: (part: RunPart) => Promise<void>,
): Promise<void> => {
  const run = await sharedRun(books.database.db, runId);
  await withSharedRun(books, run, async (work, lock) => {
    const { claim, settled } = claimsIn(lock);
    const hasAnswered = await hasTasks(books.database.db, runId); // to another process, before it stored them
    const limits = { ...gatewayLimits(config, {}), hasAnswered };
    await withGateway(work, limits, async (gateway, reportClocks) => {
      let counted = 0;
      const newRequests = () => {
        const sent = gateway.requests() - counted;
        counted += sent;
        return sent;
      };
      const session: Session = { work, config, gateway, options: { isFull: false }, prices: noPricesRead() };
      const ahead = sharedAhead(session, filesHost);
      await use({ session, ahead, reportClocks, claim, newRequests });
    }).finally(settled); // what the jobs store of a gateway that failed is written under the lock too
  });
};

type Claims = Pick<RunPart, 'claim'> & {
  /** Resolves once nothing is claimed. */
  readonly settled: () => Promise<void>;
};

/** The lock keeps out other processes only, since a session may take its own lock again: `here` keeps out other jobs of this one. */
const claimsIn = (lock: SharedLock): Claims => {
  const here = new Set<string>();
  let wake = (): void => {};
  const settled = async (): Promise<void> => {
    while (here.size > 0)
      await new Promise<void>((done) => {
        wake = done;
      });
  };
  const locked: RunPart['claim'] = async (entity, use) => {
    if (!(await lock.claim(entity))) throw busy(entity);
    try {
      return await use();
    } finally {
      await lock.free(entity);
    }
  };
  const claim: RunPart['claim'] = async (entity, use) => {
    if (here.has(entity)) throw busy(entity);
    here.add(entity); // before the lock is requested: its session stays open for the answer
    try {
      return await locked(entity, use);
    } finally {
      here.delete(entity);
      wake();
    }
  };
  return { claim, settled };
};

const busy = (entity: string): Error =>
  new Error(`another job is still at work on ${entity}: trying again later`);
