// Empty books of our own to measure in: on the embedded server, or on the oldest that we support.
import { FailedError } from '../../src/base/errors.ts';
import type { Config } from '../../src/config/environment.ts';
import { openServer } from '../../src/postgres/postgres.ts';
import { booksConfig } from '../books-config.ts';
import { hasOldest, startOldest } from '../oldest-start.ts';
import { inHome } from '../own-server.ts';

export type BenchServer = 'embedded' | 'oldest';

/** Lends the settings of empty books and their owner's address, and removes both afterwards. */
export const onBooks = <T>(
  server: BenchServer,
  use: (config: Config, ownerUrl: string) => Promise<T>,
): Promise<T> =>
  inHome(async (home) => {
    const { url, end } = await (server === 'oldest' ? oldestIn(home) : embeddedIn(home));
    try {
      return await use({ ...booksConfig(home), ...(server === 'oldest' && { databaseUrl: url }) }, url);
    } finally {
      await end();
    }
  });

const embeddedIn = async (home: string) => {
  const { url, release } = await openServer(home);
  return { url, end: release };
};

const oldestIn = async (home: string) => {
  if (!hasOldest())
    throw new FailedError('PostgreSQL 15 is not installed here: apt-get install postgresql-15');
  return startOldest(home);
};
