// A home and a migrated server of its own, for measurements and simulations, which run without a test runner.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/database/migrate.ts';
import { openServer, removeServer } from '../src/postgres/postgres.ts';

/** Lends a new home, without a server, and removes it afterwards, with its server if one was opened there. */
export const inHome = async <T>(use: (home: string) => Promise<T>): Promise<T> => {
  const home = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
  chmodSync(home, 0o755); // so that root's server, which runs as another user, can use it
  try {
    return await use(home);
  } finally {
    await removeServer(home);
    rmSync(home, { recursive: true, force: true });
  }
};

/** Lends the address of a server with our schema and no rows, and removes it afterwards. */
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
