// Work: what every job stands on. The books are opened (embedded Postgres or DATABASE_URL), brought to our schema and
// locked for one writer; then a run begins, and ends with an exit code whatever happens.
import type { Config } from '../src/config.ts';
import { type Books, type Database, openDatabase } from '../src/db.ts';
import { lockBooks } from '../src/db-lock.ts';
import { UsageError } from '../src/errors.ts';
import { migrate } from '../src/migrate.ts';
import { openServer } from '../src/postgres.ts';
import { closeRun, openRun, type Run } from '../src/run.ts';
import { refuseOtherSettings } from '../src/settings.ts';

/** One thing that happened, for a progress bar or a log line: a word and its facts. */
export type Event = { readonly event: string; readonly [fact: string]: string | number | boolean | null };
export type Tell = (event: Event) => void;

/** What a job is given: typed books, settings, its run, and somewhere to say what happens. */
export type Work = {
  readonly config: Config;
  readonly db: Books;
  readonly pool: Database['pool'];
  readonly run: Run;
  readonly tell: Tell;
};

/** How a job ended. 2 wins over 1: something failed; 1: there is something that finance must look at. */
export type Result = {
  readonly exitCode: 0 | 1 | 2;
  readonly requests: number;
  readonly pages: number;
  readonly fewest: number;
  readonly summary: string;
};

/** Lends the database of a configuration, at our schema, to `use`. */
export const withBooks = async <T>(
  config: Config,
  use: (database: Database, url: string) => Promise<T>,
): Promise<T> => {
  const server = config.databaseUrl === null ? await openServer(config.home) : null;
  const url = server?.url ?? config.databaseUrl ?? '';
  try {
    await migrate(url);
    const database = openDatabase(url);
    try {
      return await use(database, url);
    } finally {
      await database.close();
    }
  } finally {
    await server?.release();
  }
};

/** Runs a job as the one writer of the books. A failure is written into its run before it goes on. */
export const withRun = <R extends Result>(
  config: Config,
  job: string,
  at: { tell: Tell; work: (work: Work) => Promise<R> },
): Promise<R> =>
  withBooks(config, async ({ db, pool }, url) => {
    const lock = await lockBooks(url, job);
    try {
      await refuseOtherSettings(db, { timezone: config.timezone, currency: config.currency });
      const run = await openRun(db, job);
      return await finished(db, run, () => at.work({ config, db, pool, run, tell: at.tell }));
    } finally {
      await lock.release();
    }
  });

const finished = async <R extends Result>(db: Books, run: Run, job: () => Promise<R>): Promise<R> => {
  try {
    const result = await job();
    await closeRun(db, run, result);
    return result;
  } catch (error) {
    const failed = {
      exitCode: error instanceof UsageError ? error.exitCode : 2,
      requests: 0,
      pages: 0,
      fewest: 0,
      summary: `failed: ${error instanceof Error ? error.message : String(error)}`,
    };
    await closeRun(db, run, failed).catch(() => {}); // the first failure is the one to tell: this may be the same database
    throw error;
  }
};
