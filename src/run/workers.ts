// The processes that run scheduled jobs: which there are, which of them write files, and which have died.
import { type Kysely, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { ALIVE } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { besideRuns } from './beside-runs.ts';
import { VARIABLES } from './settings.ts';

type Worker = {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** The SHA-256 of its crontab and of the settings that an entity's first entry fixes: on new books no entry refuses others yet. */
  readonly schedule: string;
  readonly writesFiles: boolean;
};

/** Throws a UsageError that names a worker with another schedule, or other settings. */
export const refuseOtherSchedule = async (
  db: Kysely<DB>,
  { schedule }: Pick<Worker, 'schedule'>,
): Promise<void> => {
  const { rows } = await sql<{ host: string; pid: number }>`
    select host, pid from run.workers where schedule <> ${schedule} limit 1`.execute(db);
  const [other] = rows;
  const names = Object.values(VARIABLES).join(', ');
  if (other)
    throw new UsageError(
      `a worker with another crontab or other settings is at work (${other.host} pid ${other.pid}): start this one with the same --crontab and ${names}, or stop that one`,
    );
};

/**
 * Adds a worker. Throws a UsageError that names a living worker with another schedule: each would start the nights of its own.
 */
export const addWorker = (db: Kysely<DB>, worker: Worker): Promise<void> =>
  besideRuns(db, async (tx) => {
    const { id, host, pid, schedule, writesFiles } = worker;
    await refuseOtherSchedule(tx, worker);
    await sql`
      insert into run.workers (worker_id, host, pid, schedule, writes_files)
      values (${id}, ${host}, ${pid}, ${schedule}, ${writesFiles})`.execute(tx);
  });

export const removeWorkers = (db: Kysely<DB>, ids: readonly string[]): Promise<void> =>
  besideRuns(
    db,
    async (tx) => void (await tx.deleteFrom('run.workers').where('worker_id', 'in', ids).execute()),
  );

/** The workers whose lock is free: their processes are gone. */
export const deadWorkers = async (db: Kysely<DB>): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select worker_id as id from run.workers where pg_try_advisory_xact_lock(${sql.raw(ALIVE('worker_id'))})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

/** Whether a worker of this host may write files. */
export const writesFilesOn = async (db: Kysely<DB>, host: string): Promise<boolean> => {
  const { rows } = await sql`select from run.workers where writes_files and host = ${host} limit 1`.execute(
    db,
  );
  return rows.length > 0;
};

/** The host that writes the files of a night: the first by name of those whose workers may; null for none. */
export const hostOfFiles = async (db: Kysely<DB>): Promise<string | null> => {
  const { rows } = await sql<{ host: string | null }>`
    select min(host) as host from run.workers where writes_files`.execute(db);
  return rows[0]?.host ?? null;
};
