// One Postgres for the whole test run, with our schema migrated once into a template that every test file clones.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isAlive } from '../src/base/alive.ts';
import { inSession } from '../src/database/connection.ts';
import { migrate } from '../src/database/migrate.ts';
import { openServer, removeServer } from '../src/postgres/postgres.ts';
import { QUICK, TEMPLATE, urlOf } from './database.ts';
import type {} from './provided.ts';
import { roomy } from './room.ts';

/** A broken migration fails the tests that need a database, with its own message, and no others. */
const makeTemplate = async (url: string): Promise<string> => {
  try {
    await inSession(url, 'tieout test', (session) => session.query(`create database ${TEMPLATE}`));
    await migrate(urlOf(url, TEMPLATE));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

const remove = async (home: string): Promise<void> => {
  await removeServer(home);
  rmSync(home, { recursive: true, force: true });
};

/** A worker that is still ending has its sessions open, and a server in use is not removed. */
const END_SESSIONS = `select pg_terminate_backend(pid, 60000) from pg_stat_activity
  where application_name = 'tieout test' and pid <> pg_backend_pid()`;

/** A killed test run leaves its server running: the next run ends it. The name contains the process id of the run. */
const sweep = async (): Promise<void> => {
  for (const parent of new Set([tmpdir(), roomy()])) {
    for (const name of readdirSync(parent)) {
      const pid = /^tieout-test-(\d+)-/.exec(name)?.[1];
      if (pid && !isAlive(Number(pid))) await remove(join(parent, name)).catch(() => {}); // in use, or another user's
    }
  }
};

/** vitest calls this before the first test file, and the returned function after the last. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  await sweep();
  const home = mkdtempSync(join(roomy(), `tieout-test-${process.pid}-`));
  chmodSync(home, 0o755); // so that root's server, which runs as another user, can use it
  const scratch = join(home, 'scratch');
  mkdirSync(scratch);
  project.provide('scratch', scratch);
  const server = await openServer(home, { settings: QUICK });
  project.provide('database', { url: server.url, problem: await makeTemplate(server.url) });
  return async () => {
    await inSession(server.url, 'tieout test', (session) => session.query(END_SESSIONS));
    await server.release();
    await remove(home);
  };
};
