// A home and a migrated server of its own, for measurements and simulations: programs, which no test runner gives one.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/database/migrate.ts';
import { openServer, removeServer } from '../src/postgres/postgres.ts';

/** Lends a new home, with no server yet, and removes it after, with its server if one was opened there. */
export const inHome = async <T>(use: (home: string) => Promise<T>): Promise<T> => {
  const home = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
  chmodSync(home, 0o755); // so that root's server, which runs as another user, can stay here
  try {
    return await use(home);
  } finally {
    await removeServer(home);
    rmSync(home, { recursive: true, force: true });
  }
};

/** Lends the address of a server with our schema and nothing in it, and removes it after. */
export const onServer = <T>(
  use: (url: string) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> =>
  inHome(async (home) => {
    const server = await openServer(home, { settings });
    try {
      await migrate(server.url);
      return await use(server.url);
    } finally {
      await server.release();
    }
  });
