// Entering a server that runs, on a disk without room for server.json: nothing is written that is there already, and a refusal is in
// words and leaves no session behind, which would keep the process alive.
import { promises, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openSession } from '../../src/database/connection.ts';
import { openServer } from '../../src/postgres/postgres.ts';
import { newFolder } from '../room.ts';

/** The disk has no room for a file of this name, for every module: a mock of one is not seen by those that are loaded already. */
const fillFor = (file: string): void => {
  const { rename } = promises;
  vi.spyOn(promises, 'rename').mockImplementation(async (from, to) => {
    if (to === file) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    await rename(from, to);
  });
  syncBuiltinESMExports();
};
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const SESSIONS =
  "select count(*)::int as sessions from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";

test('a running server is entered without a write, or refused without a session', async () => {
  const home = newFolder();
  const note = join(home, 'postgres', 'server.json');
  const server = await openServer(home);
  const watcher = await openSession(server.url);
  fillFor(note);
  await (await openServer(home)).release();
  const text = readFileSync(note, 'utf8');
  writeFileSync(note, text.replace('"dataDir"', '"other": 1, "dataDir"'));
  await expect(openServer(home)).rejects.toThrow(`${note} cannot be written: the disk is full (ENOSPC)`);
  await expect.poll(async () => (await watcher.query(SESSIONS)).rows).toEqual([{ sessions: 1 }]);
  await watcher.end();
  await server.release();
});
